# pktc.bash - completion of pktc's command line in bash. pktc itself knows what may come next.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
_pktc() {
    local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} line directories=
    # bash splits --html=FILE into three words.
    [[ $word == = ]] && word=
    COMPREPLY=()
    while IFS=$'\t' read -r line _; do
        # shellcheck disable=SC2207
        case $line in
        :pkt) COMPREPLY+=($(compgen -f -X '!*.pkt' -- "$word")) directories=yes ;;
        :recording)
            for line in .pcap{,ng}{,.gz,.zst}; do
                COMPREPLY+=($(compgen -f -X "!*$line" -- "$word"))
            done
            directories=yes
            ;;
        :file) COMPREPLY+=($(compgen -f -- "$word")) ;;
        :directory) directories=yes ;;
        "$word"*) COMPREPLY+=("$line") ;;
        esac
    done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # shellcheck disable=SC2207
    [[ $directories ]] && COMPREPLY+=($(compgen -d -- "$word"))
    return 0
}
complete -o filenames -F _pktc pktc
