#!/bin/sh
# SPDX-License-Identifier: MIT
# Work that could not be done, or not to its end: what is said about it, and what it leaves for
# the next time.
. "$(dirname "$0")/../lib.sh"
producer=$BUILD/tests/record_producer

# --- a trace that breaks a rule --------------------------------------------
cat > refused << 'END'
text 1 bank.c
text 2 main
site 1 1 10 2 0
w 0 0x404010 1 4 1
r 1 0x404010 1 4 1
join 0 1 0 0 1
r 1 0x404010 1 4 1
END
for command in 'run' 'run -n 3' 'explore -n 2'; do
    # shellcheck disable=SC2086 # a command and its options
    run $command --json result.json -- "$producer" refused
    expect_status 3
    expect_out '^the trace was refused: seriatim.out/run-1.srt: .*joined it'
    [ "$(tail -n 1 out)" = 'undecided: what was recorded could not be analysed' ] ||
        fail "the last line should be the verdict"
    expect_err 'seriatim.out/run-1.srt: .*joined it'
    ! grep -q 'no violation' out || fail "nothing is known of violations"
    grep -q '"verdict": "undecided"' result.json || fail "the verdict in JSON should be undecided"
    grep -q '"refused": "seriatim.out/run-1.srt: ' result.json || fail "JSON should say why"
    expect_same result.json seriatim.out/result.json
done
printf 'nothing_is_called_so\n' > spec
run run --effort quick --atomic spec --json - -- "$producer" refused
expect_status 3
expect_out '"verdict": "undecided"'

# --- interrupted before the first event ------------------------------------
# interrupt SIGNAL COMMAND...: sends it once the program runs, which never records anything.
interrupt() {
    signal=$1
    shift
    rm -f ready
    shown="seriatim $* (interrupted)"
    "$SERIATIM" "$@" -- sh -c 'echo > ready; exec sleep 600' > out 2> err < /dev/null &
    process=$!
    wait_for 'the program' test -s ready
    kill "-$signal" $process
    status=0
    wait $process || status=$?
    ! grep -q 'so nothing was recorded' err || fail "it is unknown whether it is instrumented"
}
interrupt TERM record -o t.srt
expect_status 143
expect_err 'interrupted by signal 15'
interrupt TERM record --own-status -o t.srt
expect_status 4
expect_err 'interrupted by signal 15'
for command in run explore; do
    interrupt TERM $command
    expect_status 4
    expect_out 'This is a partial result: interrupted: 0 (of 1 run|runs) recorded'
    expect_out '^undecided: nothing was recorded$'
done
run record -o t.srt -- sh -c 'kill -SEGV $$'
expect_status 3
expect_err 'signal 11 .* ended sh before it recorded anything'
run record -o t.srt --budget 0.5 -- sleep 600
expect_status 143
expect_err 'the budget was used up before sleep recorded anything'

# --- programs that cannot be run -------------------------------------------
: > plain_file
printf 'T1|begin|1\nT1|w(x)|2\nT2|w(x)|3\nT1|w(x)|4\nT1|end|5\n' > t.std
for command in record run explore 'replay t.std --block 1'; do
    # shellcheck disable=SC2086
    run $command -- ./missing
    expect_status 127
    expect_err '^seriatim: cannot run ./missing: No such file'
    expect_no_out
    # shellcheck disable=SC2086
    run $command -- ./plain_file
    expect_status 126
    expect_err '^seriatim: cannot run ./plain_file: Permission denied'
    run "${command%% *}" --help
    expect_out '^ +126 +the program was found, but could not be run'
    expect_out '^ +127 +the program was not found'
done

# --- schedules that cannot be written --------------------------------------
for i in 1 2 3; do
    printf 'A%s|begin|1\nA%s|w(x%s)|2\nB%s|w(x%s)|3\nA%s|w(x%s)|4\nA%s|end|5\n' $i $i $i $i $i $i $i $i
done > three.std
mkdir -p made/block-6.schedule
run predict -v --json result.json --schedules made three.std
expect_status 3
expect_err 'made/block-6.schedule: '
expect_out '^violation: 3 of 3 blocks can be violated'
expect_out 'As a schedule: made/block-1\.schedule'
expect_out 'As a schedule: made/block-11\.schedule'
! grep -q 'As a schedule: made/block-6' out || fail "that schedule was not written"
[ -f made/block-1.schedule ] && [ -f made/block-11.schedule ] || fail "the others should be there"
grep -q '"violation": 3' result.json || fail "JSON should be there"
mkdir -p other/block-1.schedule other/block-6.schedule
run predict --schedules other three.std
expect_status 3
expect_err 'other/block-1.schedule: '
expect_err 'other/block-6.schedule: '
expect_out '^violation: '

# --- killed ------------------------------------------------------------------
# kill_while_recording COMMAND...: leaves what a recorder leaves that has no time to clean up.
printf 'w 0 0x404010 1 4 0\nr 1 0x404010 1 4 0\nsay ready\nhang\n' > hang
kill_while_recording() {
    shown="seriatim $* (killed)"
    : > out # the sign of the program before is none
    "$SERIATIM" "$@" -- "$producer" hang > out 2> err < /dev/null &
    process=$!
    wait_for 'the program' grep -q ready out
    program=$(cat /proc/$process/task/$process/children)
    kill -KILL $process
    wait $process 2> wait_said
    # shellcheck disable=SC2086
    kill -KILL $program 2> wait_said
}
printf 'w 0 0x404010 1 4 0\nr 1 0x404010 1 4 0\n' > short
kill_while_recording run
[ -f seriatim.out/run-1.srt.part ] || fail "a killed run should leave its spool"
echo mine > seriatim.out/notes.srt.part
cp seriatim.out/run-1.srt.part seriatim.out/run-7.srt.part
: > seriatim.out/result.json.tmpAbCdEf
: > seriatim.out/mine.tmpAbCdEf
run run --effort quick -- "$producer" short
expect_status 0
left=$(cd seriatim.out && echo *)
[ "$left" = 'mine.tmpAbCdEf notes.srt.part result.json run-1.srt' ] ||
    fail "the next run should remove what is ours, and nothing else: $left"
kill_while_recording run
run explore -n 2 -- "$producer" short
expect_status 0

# What record leaves is kept: it can be finished.
kill_while_recording record -o kept.srt
run record -o kept.srt -- "$producer" short
expect_status 3
expect_err 'kept.srt.part was left by a recorder that was killed; make a trace of it with seriatim record --finish'
[ -f kept.srt.part ] || fail "the spool should be kept"

# One that is being written is no leftover.
for command in 'record -o lively.srt' 'run -o lively'; do
    : > said
    # shellcheck disable=SC2086
    "$SERIATIM" $command -- "$producer" hang > said 2>&1 < /dev/null &
    process=$!
    wait_for 'the program' grep -q ready said
    # shellcheck disable=SC2086
    run $command -- "$producer" short
    expect_status 3
    expect_err '\.part is being written by another recording'
    kill -TERM $process
    wait $process
done
finish
