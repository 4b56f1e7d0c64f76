#!/bin/sh
# SPDX-License-Identifier: MIT
# Prediction in windows: a violation within one is found, with the trace's own event numbers; one that
# lies further away is found by a larger window; none is exact only if the window holds everything.
. "$(dirname "$0")/../lib.sh"

# padded COUNT: a lost update, but the other thread's write comes after COUNT events of a third.
padded() {
    printf 'T1|begin(b)|a:1\nT1|r(x)|a:2\nT1|w(x)|a:3\nT1|end(b)|a:4\n'
    i=0
    while [ $i -lt "$1" ]; do
        printf 'T3|r(y)|c:1\n'
        i=$((i + 1))
    done
    printf 'T2|w(x)|b:1\n'
}

{ padded 100; padded 3; } > both.std
run predict --window 16 --json small.json both.std
expect_status 1
expect_out '^Violation 1: block 106-109 of thread T1 \(b, a:1\) is not atomic\.$'
expect_out 'Everything before event [0-9]+ happens as observed'
expect_out '^violation: 1 of 2 blocks can be violated$'
grep -q '"begin": 1, .*"verdict": "unknown", "reason": "window".*"window": \[1, [0-9]*\]' small.json ||
    fail "the first block should be unknown within its window"
grep -q '"begin": 106, .*"verdict": "violation".*"witness": {"start": [0-9]*, "order": \[.*\]' small.json ||
    fail "a witness in a window should have a start"
run predict --window 256 --json large.json both.std
expect_status 1
expect_out '^violation: 2 of 2 blocks can be violated$'
run predict --json whole.json both.std
verdicts() { grep -o '"begin": [0-9]*\|"verdict": "[a-z]*"' "$1"; }
verdicts large.json > large
verdicts whole.json > whole
expect_same whole large

# None within the window is no violation, and no reason for exit status 4.
padded 100 > far.std
run predict --window 16 --json far.json far.std
expect_status 0
expect_out '^no violation within windows of 16 events$'
run predict --window 1024 far.std
expect_status 1

# What facts about the whole trace settle is exact; of a stream they are known only so far.
printf 'T1|acq(m)|\nT1|begin|\nT1|r(z)|\nT1|w(z)|\nT1|end|\nT1|rel(m)|\nT2|acq(m)|\nT2|w(z)|\nT2|rel(m)|\n' > locked.std
{ cat locked.std; padded 100; } > settled.std
run predict --window 16 --json settled.json settled.std
expect_status 0
grep -q '"begin": 2, .*"verdict": "static"' settled.json || fail "a block under a lock should be settled"
run predict --follow --window 16 --json settled.json settled.std
grep -q '"begin": 2, .*"verdict": "unknown", "reason": "window"' settled.json ||
    fail "a stream's facts are not those of the whole"

# Locks that are held and threads that wait where the window begins.
{
    printf 'T2|acq(m)|\nT3|acq(k)|\nT3|rel(k)|\nT3|wait(c)|\n'
    i=0
    while [ $i -lt 50 ]; do
        printf 'T4|r(y)|\n'
        i=$((i + 1))
    done
    printf 'T1|begin|\nT1|r(x)|\nT1|r(x)|\nT1|end|\nT2|rel(m)|\nT1|notify(c)|\nT5|acq(m)|\nT5|w(x)|\nT5|rel(m)|\nT3|w(x)|\n'
} > held.std
run predict --window 20 --json held.json held.std
window_status=$status
run predict --json whole.json held.std
expect_status "$window_status"

# A trace that does not fit into the memory it may take: the same, but undecided if none is found.
{
    cat locked.std
    i=0
    while [ $i -lt 20000 ]; do
        printf 'T1|begin|\nT1|r(x)|\nT1|w(x)|\nT1|end|\nT2|r(y)|\n'
        i=$((i + 1))
    done
    printf 'T2|w(x)|\n'
} > long.std
run predict --memory-total 1 long.std
expect_status 1
expect_err 'does not fit into the memory it may take: instead, each block is decided in a window'
[ "$(wc -l < err)" = 1 ] || fail "expected one message"
expect_out '^violation: 1[0-9][0-9] of 20001 blocks can be violated$'
sed '$d' long.std > quiet.std
run predict --memory-total 1 quiet.std # one thread alone uses x: nothing is left to load but the marks
expect_status 0
{
    echo 'T2|w(x)|'
    i=0
    while [ $i -lt 2000 ]; do
        echo 'T3|r(y)|'
        i=$((i + 1))
    done
    cat quiet.std
} > early.std
run predict --window 1024 early.std
expect_status 0
expect_out '^no violation within windows of 1024 events$'
run predict --memory-total 1 early.std
expect_status 4
expect_out '^undecided: no violation within windows of 1024 events$'

# Windows that were not asked for grow, if there is memory for it: a write 5,000 events after the block, and one
# that no window reaches.
awk 'BEGIN {
    print "T1|begin(b)|1\nT1|r(x)|1\nT1|r(x)|1\nT1|end(b)|1\nT1|begin(c)|1\nT1|r(v)|1\nT1|r(v)|1\nT1|end(c)|1"
    for (i = 0; i < 120000; i++) {
        printf "T%d|w(y%d)|9\n", 3 + i % 2, i * 7 % 5
        if (i == 5000) print "T2|w(x)|2"
    }
    print "T2|w(v)|2"
}' > far.std
run predict --memory-total 1 far.std
expect_status 4
run predict --memory-total 4 --json far.json far.std
expect_status 1
expect_out '^violation: 1 of 2 blocks can be violated$'
expect_out '^    none within windows +1$'
tr -d '\n ' < far.json | grep -q '"window":\[1,1638[0-9]\]' || fail "the other one should be known within 16384 events"
run predict --window 1024 far.std
expect_status 0
# With checkpoints the later passes read only what they need: the result is the same.
for every in 100000000 5000; do
    run convert --checkpoints "$every" far.std -o far.srt
    run predict --memory-total 4 --json far.json far.srt
    expect_status 1
    sed 's/"seconds": [0-9.e-]*//' far.json > "far-$every.json"
done
cmp far-100000000.json far-5000.json || fail "checkpoints change the result"
SERIATIM_LOG=predict run predict --memory-total 4 far.srt
expect_err 'goes on with event '

# From a pipe, while it is still open: the finding is there before the end.
mkfifo events
"$SERIATIM" predict --follow --window 8 - < events > found 2> messages &
reader=$!
exec 3> events
padded 3 >&3
i=0
while [ $i -lt 6000 ]; do
    echo 'T3|r(y)|c:1'
    i=$((i + 1))
done >&3
wait_for 'the violation, before the stream ends' grep -q '^Violation 1' found
kill -0 $reader || fail "it should go on reading"
exec 3>&-
wait $reader
status=$?
expect_status 1

# A stream that makes a pause: what can be seen is reported then, once, and what comes later is looked at with it.
printf 'T1|begin|\nT1|r(x)|\nT2|w(x)|\nT1|r(x)|\nT1|end|\n' > first.std
printf 'T1|begin|\nT1|r(y)|\nT1|r(y)|\nT1|end|\n' > second.std
mkfifo stream
"$SERIATIM" predict --follow --json live.json stream > live.out 2> live.err &
follower=$!
exec 4> stream
cat first.std second.std >&4
wait_for 'the violation, while the stream pauses' grep -q '^Violation 1: block 1-5 ' live.out
printf 'T2|w(y)|\n' >&4
exec 4>&-
wait $follower
status=$?
expect_status 1
grep -q '^violation: 2 of 2 blocks can be violated$' live.out || fail "two blocks can be violated"
[ "$(grep -c '"verdict": "violation"' live.json)" = 2 ] || fail "each is to be reported once"

# Only what is worth a look; the others are counted, with or without windows.
{ printf 'T1|begin(c)|a:5\nT1|r(z)|a:6\nT1|end(c)|a:7\n'; cat both.std; } > three.std
run predict --window 16 --json-blocks notable --json notable.json three.std
expect_status 1
[ "$(grep -c '"verdict"' notable.json)" = 1 ] || fail "only the violated block is notable"
grep -q '"verdict": "violation"' notable.json || fail "the violated block is notable"
counts() { tr -d '\n ' < "$1" | grep -o '"leftOut":{[^}]*}'; }
[ "$(counts notable.json)" = '"leftOut":{"static":1,"none":0,"window":1}' ] || fail "the others should be counted"
grep -q '"violation": 1,' notable.json || fail "the summary is of all blocks"
run predict --json-blocks notable --json notable.json three.std
expect_status 1
[ "$(grep -c '"verdict"' notable.json)" = 2 ] || fail "two blocks are notable"
[ "$(counts notable.json)" = '"leftOut":{"static":1,"none":0,"window":0}' ] || fail "the third should be counted"
! grep -q leftOut large.json || fail "nothing is left out if that was not asked for"
run predict --timeout 0.000000001 --engine states --json-blocks notable --json late.json three.std
[ "$(grep -c '"verdict": "unknown", "reason": "time"' late.json)" = 2 ] || fail "what is not decided is notable"
run predict --shard 1/2 --json-blocks notable --json part.json three.std
expect_status 2
expect_err 'json-blocks notable does not go with --shard'

# What does not go together.
for option in '--block 1' '--shard 1/2' '--schedules dir' '--criterion serializability' '--model data' '--list-candidates'; do
    # shellcheck disable=SC2086 # options are words
    run predict --window 16 $option both.std
    expect_status 2
done
run predict --window 1 both.std
expect_status 2
printf 'T1|begin|\nT1|rel(m)|\n' > bad.std
run predict --window 16 bad.std
expect_status 3
finish
