#!/bin/sh
# SPDX-License-Identifier: MIT
# predict: exit codes, every engine, which blocks are looked at, JSON, schedules, and
# what is left when the work ends early. What it says about which trace is the business
# of the golden tests.
. "$(dirname "$0")/../lib.sh"

printf '%s\n' 'A|begin(f)|a:1' 'A|r(x)|a:2' 'A|w(x)|a:3' 'A|end(f)|a:4' 'B|w(x)|b:1' > bad.std
printf '%s\n' 'A|begin|a:1' 'A|acq(m)|a:2' 'A|r(x)|a:3' 'A|w(x)|a:4' 'A|rel(m)|a:5' 'A|end|a:6' \
    'B|acq(m)|b:1' 'B|w(x)|b:2' 'B|rel(m)|b:3' > good.std

# Every engine, with every criterion, and without each of the short cuts.
for engine in auto states dpor smt; do
    for how in '' '--criterion serializability' --no-segment --no-static --no-minimise; do
        # shellcheck disable=SC2086 # options are words
        run predict --engine $engine $how bad.std
        expect_status 1
        expect_no_err
        [ "$(tail -n 1 out)" = 'violation: 1 of 1 block can be violated' ] ||
            fail "the last line is no verdict"
        expect_out 'event 5 of B, w\(x\)'
        expect_out '^  \*  +5 '
        # shellcheck disable=SC2086
        run predict --engine $engine $how good.std
        expect_status 0
        expect_no_err
        tail -n 1 out | grep -q '^no violation' || fail "the last line is no verdict"
    done
done
run predict --engine smt --smt-order bits bad.std
expect_status 1
printf '%s\n' 'A|begin|a:1' 'A|acq(m)|a:2' 'A|r(x)|a:3' 'A|rel(m)|a:4' 'A|acq(m)|a:5' 'A|r(x)|a:6' \
    'A|rel(m)|a:7' 'B|acq(m)|b:1' 'B|w(x)|b:2' 'B|rel(m)|b:3' > open.std
run predict --engine dpor --switches 0 open.std
expect_status 4
tail -n 1 out | grep -q '^undecided: 1 of 1 block' || fail "the last line is no verdict"
expect_out 'switches +1'

# The same from a pipe, compressed, and in the native format.
# without_times FILE: the JSON without what differs from run to run.
without_times() {
    sed 's/"path": "[^"]*", *$//; s/"path": "[^"]*"//; s/"seconds": [0-9.]*//' "$1"
}
run predict --json - bad.std
expect_status 1
without_times out > wanted
gzip -c bad.std > bad.gz
run convert -q bad.std -o bad.srt
for trace in bad.gz bad.srt; do
    run predict --json - $trace
    expect_status 1
    without_times out > said
    expect_same wanted said
done
run_with_input bad.std predict --json - -
expect_status 1
expect_out '"path": "-"'
without_times out > said
expect_same wanted said

# JSON beside the text; all that the contract names is there.
run predict --json result.json bad.std
expect_status 1
[ -s out ] || fail "no text beside --json FILE"
for part in '"command": "predict"' '"trace": {' '"events": 5,' '"blocks": \[' \
    '{"thread": "A", "begin": 1, "end": 4, "events": 4, "segment": [0-9]*,' \
    '"verdict": "violation", "reason": null, "engine": "[a-z]*", "explored": [0-9]*,' \
    '"constraints": [0-9]*, "seconds": [0-9]*\.[0-9]*,' '"location": "a:1"' '"label": "f"' \
    '"witness": {"order": \[1, 2, 5, 3\], "path": \[2, 5, 3\], "broken": \[\]' \
    '"summary": {' '"static": 0,' '"none": 0,' '"violation": 1,' '"unknown": 0$'; do
    grep -q "$part" result.json || fail "no $part in the JSON"
done
run predict --json - good.std
expect_status 0
expect_out '"verdict": "static", "reason": null, "engine": "static"'
expect_out '"witness": null'
run predict --json - --engine dpor --switches 0 open.std
expect_status 4
expect_out '"end": null'
expect_out '"verdict": "unknown", "reason": "switches"'

# Which blocks.
{ cat bad.std; sed 's/^A/C/; s/(f)/(g)/' bad.std; } > two.std
run predict --json - two.std
[ "$(grep -c '"begin":' out)" = 2 ] || fail "expected two blocks"
for choice in --block=6 --thread=C --function=g '--function=[g-z]*'; do
    run predict --json - "$choice" two.std
    expect_status 1
    [ "$(grep -c '"begin":' out)" = 1 ] || fail "expected one block"
    expect_out '"begin": 6'
done
run predict --block 5 two.std
expect_status 2
expect_err 'no block starts at that event; the nearest start at events 1 and 6'
expect_no_out
run predict --block 2 two.std
expect_status 2
expect_err 'is in the block that starts at event 1'
run predict --block 11 two.std
expect_status 2
expect_err 'the nearest starts at event 6'
run predict --thread D two.std
expect_status 2
expect_err 'there is no such thread'
run predict --function h two.std
expect_status 2
expect_err 'no block matches'
run predict --thread B two.std
expect_status 2

# Many blocks, in parallel: the same answers in the same order.
for i in $(seq 1 40); do
    sed "s/(x)/(x$i)/" bad.std
    sed "s/(x)/(y$i)/; s/(m)/(m$i)/" good.std
done > many.std
run predict --jobs 1 --json - many.std
expect_status 1
without_times out > wanted
[ "$(grep -c '"verdict": "violation"' out)" = 40 ] || fail "expected 40 violations"
run predict --jobs 2 --json - many.std
expect_status 1
without_times out > said
expect_same wanted said

# Schedules.
run predict --schedules made many.std
expect_status 1
[ "$(find made -name 'block-*.schedule' | wc -l)" = 40 ] || fail "expected 40 schedules"
grep -q '^seriatim-schedule 1$' made/block-1.schedule || fail "no schedule"
grep -q '^B  *1  *5\.\.5  *w(x1)  *b:1  *\*$' made/block-1.schedule || fail "B has no step"
tail -n 2 out | head -n 1 | grep -q 'seriatim replay many.std --block 1 -- PROGRAM' ||
    fail "the line before the last is no replay command"
run predict --schedules bad.std bad.std
expect_status 3
expect_err 'bad.std: not a folder'
run predict --schedules no/such/folder bad.std
expect_status 3
expect_err 'No such file'

# Candidates: listed, with schedules, and without a say in the exit status.
printf '%s\n' 'A|begin(f)|a:1' 'A|r(x)|a:2' 'A|w(x)|a:3' 'A|end(f)|a:4' 'B|r(x)|b:1' 'B|w(x)|b:2' \
    > maybe.std
run predict --json - maybe.std
expect_status 0
! grep -q '"candidates"' out || fail "candidates that nobody asked for"
for engine in auto states dpor smt; do
    run predict --engine $engine --list-candidates --schedules maybe --json - maybe.std
    expect_status 0
    expect_out '"candidates": \['
    expect_out '"begin": 1, .*"model": "candidate", "changed": \[\{"event": 5, "thread": "B", "variable": "x", "location": "b:1"\}\]'
    expect_out '"path": \[2, 6, 3\]'
    expect_out '"schedule": "maybe/candidate-1.schedule"'
    grep -q '^seriatim-schedule 1$' maybe/candidate-1.schedule || fail "no schedule"
done
run predict --list-candidates bad.std
expect_status 1
expect_out '^0 candidates\.$'

# A solver that never answers: Ctrl-C, the time limit and the budget leave what was decided.
{ cat good.std; sed 's/(x)/(y)/' bad.std; sed 's/(x)/(z)/' bad.std; } > three.std
hang() {
    run predict --engine smt --solver-command 'sleep 600' --jobs 1 "$@" three.std
}
hang --timeout 0.2
expect_status 4
expect_out 'static +1 '
expect_out 'time +2 '
for budget in 2 10; do # a busy machine may need more to begin with
    hang --budget $budget --json -
    ! grep -q '"verdict": "static"' out || break
done
expect_status 4
expect_out '"partial": true'
[ "$(grep -c '"verdict": "unknown", "reason": "time"' out)" = 2 ] || fail "expected two out of time"
expect_out '"verdict": "static"'
shown='seriatim predict, interrupted'
"$SERIATIM" predict --engine smt --solver-command 'echo > asked; exec sleep 600' --jobs 1 \
    three.std > out 2> err &
process=$!
wait_for 'the solver' test -s asked
kill -INT "$process"
status=0
wait "$process" || status=$?
expect_status 4
expect_out 'interrupted +2 '
expect_out 'static +1 '
expect_out 'partial result: interrupted'

# A violation decides the exit status, whatever else stays undecided, and Ctrl-C leaves it.
{ cat bad.std; sed 's/^A/C/; s/^B/D/; s/x/z/' open.std; } > mixed.std
run predict --engine dpor --switches 0 mixed.std
expect_status 1
expect_out 'switches +1 '
[ "$(tail -n 1 out)" = 'violation: 1 of 2 blocks can be violated, 1 undecided' ] ||
    fail "the last line is no verdict"
{
    cat bad.std
    printf 'C|begin|c:1\nC|w(p)|c:2\n'
    for round in 1 2 3 4 5 6 7 8 9; do
        for thread in 1 2 3 4 5 6; do
            printf 'T%s|w(q%s)|\nT%s|w(p)|\n' $thread $((round % 2)) $thread
        done
    done
    printf 'C|r(s)|c:3\nC|end|c:4\nD|w(s)|d:1\n'
} > endless.std
shown='seriatim predict with a violation, interrupted'
"$SERIATIM" predict --engine dpor --no-segment --no-static --jobs 1 endless.std > out 2> err &
process=$!
wait_for 'the first block to be decided' has_computed "$process" 100
kill -INT "$process"
status=0
wait "$process" || status=$?
expect_status 1
expect_out 'event 5 of B, w\(x\)'
expect_out 'interrupted +1 '
expect_out 'partial result: interrupted'
[ "$(tail -n 1 out)" = 'violation: 1 of 2 blocks can be violated, 1 undecided' ] ||
    fail "the last line is no verdict"

# A solver that another process kills: that block is undecided, and the work goes on.
shown='seriatim predict, its solver killed'
"$SERIATIM" predict --engine smt --solver-command 'echo $$ >> solvers; exec sleep 600' --jobs 1 \
    three.std > out 2> err &
process=$!
for number in 1 2; do
    wait_for "solver $number" sh -c "sed -n ${number}p solvers | grep -q ." 2> /dev/null
    kill -9 "$(sed -n "${number}p" solvers)" || fail "there is no solver $number"
done
status=0
wait "$process" || status=$?
expect_status 4
expect_out 'static +1 '
expect_out 'solver +2 '

# A solver that is killed, or talks nonsense, leaves the block undecided.
for solver in 'kill -9 $$' 'echo nonsense' 'exit 3'; do
    run predict --engine smt --solver-command "$solver" bad.std
    expect_status 4
    expect_out 'solver +1 '
done
run predict --engine smt --smt-dump formulas bad.std
expect_status 1
[ -n "$(ls formulas)" ] || fail "no formulas"

# Bad input.
printf 'A|end|1\n' > wrong.std
run predict wrong.std
expect_status 3
expect_no_out
run predict --lenient wrong.std
expect_status 0
expect_out 'no atomic blocks'
run predict no-such-file
expect_status 3
finish
