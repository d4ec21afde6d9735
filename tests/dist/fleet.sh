#!/bin/sh
# fleet.sh - counts recordings in parts with Dask, and compares with one process. One of Dask's two
# workers is killed in the middle.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc CC=cc fleet.sh SCRATCH     SCRATCH may be deleted
set -u
scratch=$1
PKTC=$(realpath "$PKTC")
rm -rf "$scratch" && mkdir -p "$scratch" && scratch=$(realpath "$scratch") || exit 1
script=$(realpath share/fleet/dask_tally.py)
page=$(realpath docs/fleet.md)
recorder=$(realpath tests/dist/record_fleet.c)
cd "$scratch" || exit 1
failed=0
passed=0
started=

# Ends what this test has started.
# shellcheck disable=SC2086
finish() {
    for id in $started; do kill "$id" 2>/dev/null; done
    wait $started 2>/dev/null
}
trap finish EXIT
trap 'exit 1' INT TERM

check() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: '$2' instead of '$3'"
    fi
}

same() {
    cmp "$2" "$3"
    check "$1" $? 0
}

# The first lines of a code block of the page that has a word.
block() {
    awk -v has="$1" '/^```/ { if (inside && text ~ has) { printf "%s", text; exit } inside = !inside; text = ""; next }
                     inside { text = text $0 "\n" }' "$page"
}

# Waits until a command succeeds, for at most so many seconds.
within() {
    left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { echo "waited in vain: $*"; return 1; }
        sleep 0.2
    done
}

cat >match.pkt <<'END'
protocol match = 1;
struct Head { u16 number; optional u16 back; }
struct State @delta { u16 tick; i16 x[4] coded; }
END
stream='Update=Head, State delta(Head.number from Head.number - Head.back)'
"$PKTC" --capture match.pkt && ${CC:-cc} -O0 -w -DPKT_WITH_CAPTURE -I. -o record "$recorder" match.c match_capture.c pkt.c -lm &&
    ./record . 12 || { echo '[  FAILED  ] 1 test(s)'; exit 1; }
truncate -s -40 match7.pcapng
# The docs have commands without --stream: a pktc that adds it.
mkdir bin begun slow
cat >bin/pktc <<END
#!/bin/sh
command=\$1
shift
case \$command in
report | tally) exec "$PKTC" \$command --stream '$stream' "\$@" ;;
*) exec "$PKTC" \$command "\$@" ;;
esac
END
chmod +x bin/pktc
PATH=$scratch/bin:$PATH
export PATH
pktc report match*.pcapng >report.txt 2>report.err
check 'the exit status of report' $? 0
pktc tally match*.pcapng -o one.tally 2>one.err
check 'the exit status of tally' $? 0
pktc report -j 4 match*.pcapng 2>j.err | cmp - report.txt
check 'with -j 4' $? 0
same 'the messages with -j 4' j.err report.err

pktc train match.pkt --stream "$stream" match*.pcapng >model 2>train.err
check 'the exit status of train' $? 0
pktc train match.pkt one.tally | cmp - model
check 'the model of a tally' $? 0

# The line for Spark, with what its pipe does: it splits the command as a shell does, runs it without one, and writes a
# name on each line. One part of the list is empty.
if command -v python3 >/dev/null 2>&1; then
    mkdir shared 'a night'
    cp match3.pcapng 'a night'
    block '^sc.parallelize' | sed "s|/shared|$scratch/shared|" >spark.lines
    check 'lines for Spark' "$(wc -l <spark.lines)" 2
    head -n 1 spark.lines >spark.line
    python3 - match?.pcapng match??.pcapng "a night/match3.pcapng" >spark.out 2>&1 <<'END'
import os, shlex, subprocess, sys


class Lists:
    def parallelize(self, paths, count):
        self.parts = [paths[:5], paths[5:], []]
        return self

    def pipe(self, command):
        for part in self.parts:
            subprocess.run(shlex.split(command), input="".join(path + "\n" for path in part), text=True)
        return self

    def count(self):
        return 0


exec(open("spark.line").read(), {"sc": Lists(), "paths": [os.path.abspath(path) for path in sys.argv[1:]]})
END
    check 'tallies of Spark' "$(find shared -type f | wc -l)" 2
    sed 1d spark.lines | sh >spark.txt 2>spark.err
    pktc report match*.pcapng "a night/match3.pcapng" 2>/dev/null | sed "s|'match7|'$scratch/match7|" | cmp - spark.txt
    check 'the report of Spark' $? 0
else
    echo 'python3 is not installed: the line for Spark is skipped'
fi

python=
for each in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$each" -c 'import distributed' 2>/dev/null || python=$each
done
if [ -n "$python" ]; then
    export DASK_DISTRIBUTED__DASHBOARD__LINK= DASK_DISTRIBUTED__ADMIN__TICK__LIMIT=1h
    # A pktc that says that it has begun, and takes its time.
    printf '#!/bin/sh\n: >"%s/begun/$$"\nsleep 0.5\nexec "%s/bin/pktc" "$@"\n' "$scratch" "$scratch" >slow/pktc
    chmod +x slow/pktc
    timeout 240 "$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard \
        --scheduler-file scheduler.json >scheduler.log 2>&1 &
    started="$started $!"
    within 60 test -s scheduler.json
    for worker in 1 2; do
        "$python" -m distributed.cli.dask_worker --scheduler-file scheduler.json --host 127.0.0.1 \
            --no-dashboard --no-nanny --nthreads 1 --death-timeout 60 --local-directory "worker$worker" \
            >"worker$worker.log" 2>&1 &
        started="$started $!"
        last=$!
    done
    within 60 grep -q 'Registered to' worker1.log
    within 60 grep -q 'Registered to' worker2.log
    address=$(sed -n 's/.*"address": "\(tcp:[^"]*\)".*/\1/p' scheduler.json | head -n 1)
    timeout 200 "$python" "$script" --batch 1 "$address" dask.tally "$scratch/slow/pktc tally" match*.pcapng gone.pcapng \
        >dask.log 2>&1 &
    dask=$!
    started="$started $dask"
    within 60 sh -c '[ "$(ls begun | wc -l)" -ge 5 ]'
    check 'not all is done when the worker is killed' "$(kill -0 $dask 2>/dev/null && echo yes)" yes
    kill -KILL "$last"
    wait $dask
    check 'the exit status of dask_tally.py' $? 3
    # One more than there are recordings has been begun again, at least.
    check 'something was counted again' "$([ "$(ls begun | wc -l)" -gt 14 ] && echo yes)" yes
    pktc tally match*.pcapng gone.pcapng -o gone.tally 2>gone.err
    check 'the exit status without a recording' $? 3
    same 'the tally of Dask' dask.tally gone.tally
    pktc report dask.tally | grep -q "cannot read 'gone.pcapng'"
    check 'the missing recording is named' $? 0
    [ "$failed" = 0 ] || tail -n 20 dask.log scheduler.log worker1.log worker2.log
else
    echo 'python3-distributed is not installed: the part of Dask is skipped'
fi

echo "[  PASSED  ] $passed test(s)."
[ "$failed" = 0 ] || echo "[  FAILED  ] $failed test(s)"
exit "$failed"
