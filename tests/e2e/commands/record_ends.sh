#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim record when things go wrong: crashes, signals, a recorder that is killed, limits, a full
# disk. What was recorded is kept. The program writes records by a script.
. "$(dirname "$0")/../lib.sh"
. "$source_folder/tests/record/producer.sh"

script few << 'END'
ALLOCATE 0 0x10000 64 0 1
w 0 0x10000 5 8 2
r 1 0x10004 5 4 3
END
# --- ends of programs ------------------------------------------------------

script long << 'END'
repeat 100000
w 0 0x1000 0 8 3
END
for end in 'signal 11' 'signal 6' 'signal 9'; do
    { cat long; echo "$end"; } > crash
    run record -o crash.srt -- "$producer" crash
    expect_status $((128 + ${end#signal }))
    expect_err "was ended by signal ${end#signal }"
    run info crash.srt
    expect_out '^events +100,000$'
    expect_out '^note: the program was ended by signal'
done

# in_background ARGUMENTS...: starts record and waits until the program says that it is ready.
in_background() {
    : > said
    "$SERIATIM" record "$@" > said 2> err &
    recorder=$!
    wait_for 'the program' grep -q ready said
}

{ cat long; echo 'say ready'; echo hang; } > hang
in_background -o term.srt -- "$producer" hang
kill -TERM $recorder
status=0
wait $recorder || status=$?
expect_status 143
run info term.srt
expect_out '^events +100,000$'

# The recorder is killed, the program goes on; half a second later all is in the spool.
{ cat long; echo 'say ready'; echo 'await go'; cat long; echo 'say done'; } > survives
has_all() {
    cp killed.srt.part probe.srt.part
    "$SERIATIM" record -q --finish probe.srt.part -o probe.srt 2> /dev/null
    "$SERIATIM" info probe.srt 2> /dev/null | grep -q '^events *100,000$'
}
in_background -o killed.srt -- "$producer" survives
wait_for 'all to be in the spool' has_all
kill -KILL $recorder
wait $recorder 2> wait_said
: > go
wait_for 'the program to go on' grep -q done said
rm -f probe.srt probe.srt.part go
[ -f killed.srt.part ] && [ ! -f killed.srt ] || fail "expected killed.srt.part only"
run record -o killed.srt -- "$producer" long
expect_status 3
expect_err 'killed.srt.part was left by a recorder that was killed'
cp killed.srt.part cut.srt.part
run record --finish killed.srt.part -o killed.srt
expect_status 0
[ ! -f killed.srt.part ] || fail "the spool was not removed"
run info killed.srt
expect_out '^events +100,000$'
expect_out '^note: the recorder died'
truncate -s -10 cut.srt.part
run record --finish cut.srt.part -o cut.srt
expect_status 0
expect_err 'ends in the middle of a block'
run validate cut.srt
expect_status 0
run record --finish long -o no.srt
expect_status 3
[ ! -f no.srt ] || fail "there should be no trace"

# --- limits ----------------------------------------------------------------

{ cat long; echo 'say still here'; echo 'exit 5'; } > goes_on
for limit in 1234 1.234kevents; do
    run record --limit $limit -o limit.srt -- "$producer" goes_on
    expect_status 5
    expect_out 'still here'
    expect_err 'recording stopped before .* ended: the limit of 1234 events was reached'
    run info limit.srt
    expect_out '^events +1,234$'
    expect_out '^note: recording stopped before the program ended: the limit'
done
run record --limit 1000bytes -o limit.srt -- "$producer" goes_on
expect_status 5
expect_err 'the limit of 1000 bytes was reached'
{ cat long; echo 'sleep 1000'; cat long; } > slow
run record --limit 0.3s -o limit.srt -- "$producer" slow
expect_status 0
expect_err 'the limit of 0.3 seconds was reached'
run validate limit.srt
expect_status 0
expect_out ': [1-9][0-9]* events' # how many depends on how busy the machine is
{ cat few; echo hang; } > few_and_hang
run record -o few.srt -- "$producer" few
run info few.srt
events_of_few=$(grep '^events ' out)
run record --budget 3 -o budget.srt -- "$producer" few_and_hang
expect_status 143
expect_err 'the budget was used up'
run info budget.srt
expect_out "^$events_of_few\$"

# A disk that gets full while the program runs. Values that do not compress.
{ cat few; awk 'BEGIN { srand(1); for (i = 0; i < 100000; i++)
    printf "w 0 0x%x 0x%x%x 8 3\n", 4096 + 8 * int(rand() * 1000), int(rand() * 1e9), int(rand() * 1e9) }'
    echo 'say still here'; } > noise
status=0
shown='record with a limit on file sizes'
(ulimit -S -f 600 && exec "$SERIATIM" record -o full.srt -- "$producer" noise) > out 2> err || status=$?
expect_status 0
expect_out 'still here'
expect_err 'recording stopped before .* ended: cannot write .*full.srt.part: File too large'
expect_err 'wrote full.srt'
run validate full.srt
expect_status 0
run info full.srt
expect_out '^note: recording stopped before the program ended: cannot write'
finish
