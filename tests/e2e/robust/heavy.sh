#!/bin/sh
# SPDX-License-Identifier: MIT
# Small traces that are hard on algorithms (heavy.awk): what can be done in nearly linear time
# is, and for the rest --budget, --memory and Ctrl-C hold at any time, also during setup.
. "$(dirname "$0")/../lib.sh"

# Sanitizers are slow, and reserve more address space than any limit allows.
many=20000
few=3000
if [ "${INSTRUMENTED:-OFF}" = ON ]; then
    many=4000
    few=400
fi

# make KIND COUNT: KIND.std
make() {
    awk -v kind="$1" -v n="$2" -f "$here/robust/heavy.awk" > "$1.std"
}

# Far more than is needed, and far less than the square of the number of threads takes.
run_within_a_gigabyte() {
    shown="seriatim $*"
    status=0
    (
        [ "${INSTRUMENTED:-OFF}" = ON ] || ulimit -v 1500000
        exec "$SERIATIM" "$@"
    ) > out 2> err < /dev/null || status=$?
}

make waiters $((many / 2))
grep -v 'begin\|end' waiters.std > waiting.std
make nest $((many / 2))
make barrier $few
make rounds $few
make step $few
for kind in flat flat-join tree late; do
    make $kind $many
done
for trace in waiting nest barrier rounds step flat flat-join tree; do
    run_within_a_gigabyte predict -q --budget 100 -j 1 $trace.std
    [ "$status" -le 1 ] || fail "expected a verdict within the budget"
done

# ends_in_time COMMAND...: with a budget of a second. The slack is for busy machines; without
# limits each of these takes minutes.
ends_in_time() {
    before=$(date +%s)
    run "$@" --budget 1
    after=$(date +%s)
    [ $((after - before)) -le 40 ] || fail "took $((after - before)) seconds"
    case $status in
    0 | 1 | 4) ;;
    *) fail "expected an answer" ;;
    esac
}

make barrier-blocks 3000
make open 10000
for engine in states smt auto; do
    ends_in_time predict --engine $engine -j 2 waiters.std
    ends_in_time predict --engine $engine -j 2 --criterion serializability barrier-blocks.std
done
ends_in_time predict --json result.json -j 2 --criterion serializability barrier-blocks.std
expect_status 4
grep -q '"reason": *"time"' result.json || fail "expected blocks that are unknown for want of time"
ends_in_time predict -j 2 --no-static --no-segment late.std
for engine in summaries velodrome aerodrome; do
    ends_in_time check --all --engine $engine open.std
done

# In windows, and by the criterion of triples.
make members $((5 * many))
ends_in_time predict --window 5000 barrier-blocks.std
ends_in_time predict --window 100000 --memory 100 members.std
ends_in_time predict --window 100000 waiters.std
ends_in_time predict --list-candidates rounds.std
run_within_a_gigabyte predict -q --budget 100 -j 1 --criterion triple flat-join.std
[ "$status" -le 1 ] || fail "expected a verdict within the budget"

# Every write is computed from what its thread has read: each read may get any of them.
awk -v n=$((2 * many)) 'BEGIN {
    for (i = 0; i < n; i++)
        printf "T%d|begin|\nT%d|r(x)||value=%d|flow=data|guards=@1\nT%d|w(x)||value=%d|guards=@1,1,add32\nT%d|end|\n", i % 8, i % 8, i, i % 8, i + 1, i % 8
}' > computed.std
run_within_a_gigabyte predict -q --budget 1 -j 1 computed.std
case $status in
0 | 1 | 4) ;;
*) fail "expected an answer" ;;
esac

# The solver's memory is counted, with that of the formulas: here they grow until the time is up or the memory, and
# all of it together stays within what two jobs may have and 200 MB.
awk 'BEGIN {
    for (k = 1; k <= 40; k++) {
        printf "T%d|begin|\n", k
        for (i = 1; i <= 400; i++) printf "T%d|acq(l%d)|\nT%d|w(x%d)|\n", k, i, k, i
        printf "T%d|r(x)|\n", k
        for (i = 400; i >= 1; i--) printf "T%d|rel(l%d)|\n", k, i
        printf "T%d|w(y)|\nT%d|end|\n", k, k
    }
    print "T0|w(x)|\nT0|w(y)|"
}' > nested.std
cat > peak.py << 'END'
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=open("peak", "w"))
sys.exit(status)
END
if [ "${INSTRUMENTED:-OFF}" = OFF ]; then
    shown='seriatim predict --engine smt of nested locks'
    status=0
    python3 peak.py "$SERIATIM" predict --engine smt --no-static --memory 100 -j 2 --budget 5 nested.std > out 2> err || status=$?
    expect_status 4
    [ "$(cat peak)" -le 400 ] || fail "expected at most 400 MB, not $(cat peak)"
fi

# Many findings in a long trace: what is drawn of them stays small enough to be looked at.
awk 'BEGIN {
    for (i = 1; i <= 25000; i++) print "T3|w(y)|c.c:1"
    for (i = 1; i <= 20; i++)
        printf "T1|begin|a.c:%d\nT1|r(x%d)|a.c:%d\nT1|w(x%d)|a.c:%d\nT1|end|a.c:%d\nT2|w(x%d)|b.c:%d\n", i, i, i, i, i, i, i, i
}' > findings.std
run report -o trace.json --format chrome --atomic markers findings.std
expect_status 1
drawn=$(grep -o '"ph"' trace.json | wc -l)
[ "$drawn" -gt 100000 ] && [ "$drawn" -lt 450000 ] || fail "expected no more than can be looked at: $drawn"
grep -q 'recorded run' trace.json && grep -q '"a.c:20"' trace.json || fail "expected every finding"

# Names of almost a megabyte, which every finding has: no report shows them whole, in no format, and
# traces keep them. The same of a result, which may also have more findings than anybody reads.
awk -v n=8 'BEGIN {
    for (name = "x"; length(name) < 900000;) name = name name
    name = substr(name, 1, 900000)
    for (i = 1; i <= n; i++) {
        printf "T1|begin(%s%d)|a.c:%d\nT1|r(x%d)|%s%d\nT2|w(x%d)|b.c:%d\n", name, i, i, i, name, i, i, i
        printf "T1|w(x%d)|a.c:%d|function=%s%d\nT1|end(%s%d)|a.c:%d\n", i, i, name, i, name, i, i
    }
}' > names.std
# expect_small FILE...
expect_small() {
    for file; do
        [ "$(wc -c < "$file")" -lt 1000000 ] || fail "$file is too long"
    done
}
for command in report 'check --all' 'check --all --json -' predict 'predict -v --schedules small' 'predict --json -'; do
    # shellcheck disable=SC2086 # a command and its options
    run $command --atomic markers names.std
    expect_status 1
    expect_small out err
done
run report -o small --atomic markers names.std
expect_small small/*
run convert -o names.srt names.std
run convert -o again.std names.srt
expect_same names.std again.std
awk 'BEGIN {
    for (name = "x"; length(name) < 300000;) name = name name
    printf "{\"command\": \"run\", \"verdict\": \"violation\", \"program\": {\"argv\": [\"a\"]}, \"violations\": ["
    for (i = 1; i <= 6000; i++)
        printf "%s{\"id\": \"%d\", \"status\": \"predicted\", \"function\": \"f%d%s\", \"line\": %d}", (i > 1 ? ", " : ""), i, i, (i % 500 ? "" : name), i
    print "]}"
}' > long.json
for format in text html sarif junit chrome dot; do
    run report -f $format long.json
    expect_status 1
    [ "$(wc -c < out)" -lt 10000000 ] || fail "the report is too long"
    expect_err '1000 more findings are not in the report'
done

# The survey alone takes more than a megabyte: nothing is decided, and the reason is given.
make flat-blocks $many
run predict --json result.json --memory 1 -j 1 --budget 100 flat-blocks.std
expect_status 4
grep -q '"reason": *"memory"' result.json || fail "expected blocks that are unknown for want of memory"
! grep -q '"reason": *"time"' result.json || fail "expected no other reason"

# Ctrl-C, as soon as the trace is open.
"$SERIATIM" predict --criterion serializability -j 2 barrier-blocks.std > out 2> err < /dev/null &
pid=$!
until ls -l "/proc/$pid/fd" 2> /dev/null | grep -q barrier-blocks.std; do
    kill -0 $pid 2> /dev/null || break
    sleep 0.05
done
kill -INT $pid
wait $pid
status=$?
shown="predict, interrupted"
expect_status 4
expect_out 'interrupted'
finish
