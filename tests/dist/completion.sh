#!/bin/sh
# completion.sh - checks what bash, zsh and fish complete after `pktc`, with the installed scripts.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc completion.sh SCRATCH
#
# zsh completes only interactively. Here its script runs with replacements for the functions of zsh.
scratch=$1
. tests/dist/common.sh
scripts=$PWD/compiler/dist/install/completion
PATH=$(cd "$(dirname "$PKTC")" && pwd):$PATH
export PATH
mkdir -p "$scratch/work/sub dir"
cp schemas/mygame.pkt "$scratch/work/my game.pkt"
cp schemas/vec.pkt "$scratch/work"
echo '{}' >"$scratch/work/sub dir/in.json"
touch "$scratch/work/match.pcapng" "$scratch/work/net.pcap" "$scratch/work/night.pcapng.zst"
cd "$scratch/work" || exit 1

# ---- pktc complete

# answers EXPECTED WORD...: checks the words of the answer, in one line.
answers() {
    wanted=$1
    shift
    check test "$(pktc complete -- "$@" | cut -f 1 | tr '\n' ' ')" = "$wanted"
}
commands='fmt layout describe decode encode diff archive convert report tally table wireshark bind train lsp help complete '
answers ":pkt $commands" ''
answers ":pkt $commands" lay
answers ':pkt ' layout ''
answers ':pkt ' -o out ''
answers ':directory ' -o ''
answers ':directory ' vec.pkt -I x
answers ':file ' --depfile ''
answers ':file ' layout --html = x
answers ':file ' layout --html=x
answers 'tokens ast wire ' --dump ''
answers 'tokens ast wire ' --dump =
answers 'text json ' fmt --error-format=
answers '' layout --hz ''
answers '--check --diff --error-format --help -h ' fmt -
answers 'Offset Aim ' encode --base x -I. vec.pkt ''
answers 'Offset Aim :recording ' decode vec.pkt ''
answers ':pkt :recording ' decode ''
answers ':file ' decode vec.pkt Offset ''
answers ':pkt :recording ' report ''
answers ':pkt :recording ' report vec.pkt ''
answers ':pkt :directory ' convert ''
answers ':pkt :recording ' convert vec.pkt ''
answers 'Offset Aim :recording ' convert old vec.pkt ''
answers ':file ' convert old vec.pkt Offset ''
answers ':pkt ' encode ''
answers ':recording ' decode none.pkt ''
answers ':pkt ' diff ''
answers ':pkt ' diff --json vec.pkt ''
answers ':directory ' diff --against ''
answers ':directory ' archive ''
answers ':pkt ' archive out ''
answers ':pkt ' wireshark ''
answers 'cs gdextension ts ' bind ''
answers ':pkt ' bind ts ''
answers '' bind cs game.pkt ''
answers ':pkt ' train ''
answers 'Offset Aim :pkt :file ' train vec.pkt ''
answers ':file ' train vec.pkt Offset ''
answers ':file ' train -o ''
answers '' train --tolerance ''
answers '' wireshark --port ''
answers "$commands" help ''
answers ''
check test "$(pktc complete -- decode 'my game.pkt' '' | grep -c packet)" -gt 5
check test "$(pktc complete -- layout --hz | grep -e --hz)" = \
    "$(printf -- '--hz\talso print kbit/s, for N packets per second')"

# ---- the shells

if command -v bash >/dev/null; then
    # bash_offers EXPECTED WORD...
    bash_offers() {
        wanted=$1
        shift
        check test "$(bash -c '. "$0/pktc.bash" && COMP_WORDS=(pktc "$@") COMP_CWORD=$# && _pktc && printf "%s\n" "${COMPREPLY[@]}"' \
            "$scripts" "$@" | sort | tr '\n' '|')" = "$wanted"
    }
    bash_offers 'layout|' lay
    bash_offers 'my game.pkt|sub dir|vec.pkt|' layout ''
    bash_offers 'sub dir|' -o s
    bash_offers '--help|--html|--hz|' layout --h
    bash_offers 'wire|' --dump = w
    bash_offers 'ast|tokens|wire|' --dump =
    bash_offers 'sub dir/in.json|' decode vec.pkt Offset 'sub dir/'
    bash_offers 'Aim|' decode vec.pkt A
    bash_offers 'match.pcapng|my game.pkt|net.pcap|night.pcapng.zst|sub dir|vec.pkt|' report ''
    bash_offers 'match.pcapng|' decode vec.pkt m
else
    skip 'no bash'
fi

if command -v zsh >/dev/null; then
    cat >"$scratch/zsh" <<'END'
compset() { : }
_files() { print -rn -- "files $*|" }
_describe() { local -a each=("${(@P)2}"); print -rn -- "${(j:|:)each}|" }
script=$1
shift
run() { . $script }
words=(pktc "$@")
CURRENT=$#words
run
END
    zsh_offers() {
        wanted=$1
        shift
        check test "$(zsh -f "$scratch/zsh" "$scripts/_pktc" "$@")" = "$wanted"
    }
    zsh_offers 'files -g *.pkt|' layout ''
    zsh_offers 'files -/|' -o ''
    zsh_offers 'text:print diagnostics as text (the default) or json, one per line|json:print diagnostics as text (the default) or json, one per line|' \
        --error-format=
    zsh_offers 'files -g *.(pcap|pcapng)(|.gz|.zst)|Offset:struct|Aim:struct|' decode vec.pkt ''
else
    skip 'no zsh'
fi

if command -v fish >/dev/null; then
    fish_offers() {
        check test "$(HOME=$scratch fish -c "source '$scripts/pktc.fish'; complete -C '$2'" \
            | cut -f 1 | sort | tr '\n' '|')" = "$1"
    }
    fish_offers 'layout|' 'pktc lay'
    fish_offers 'my game.pkt|sub dir/|vec.pkt|' 'pktc layout '
    fish_offers '--help|--html|--hz|' 'pktc layout --h'
    fish_offers '--dump=wire|' 'pktc --dump=w'
    fish_offers 'Aim|Offset|match.pcapng|net.pcap|night.pcapng.zst|sub dir/|' 'pktc decode vec.pkt '
    fish_offers 'Aim|Offset|' 'pktc encode vec.pkt '
    fish_offers 'sub dir/|' 'pktc -o s'
else
    skip 'no fish'
fi
cd "$scratch" || exit 1
finish
