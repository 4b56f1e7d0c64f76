#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces that would take minutes if some work grew with the square of their length,
# or fill the memory: each must be done within a budget that is far more than enough.
. "$(dirname "$0")/../lib.sh"
many=100000

# quickly COMMAND...: the program ends by itself.
quickly() {
    run "$@" --budget 60
    [ "$status" -le 1 ] || fail "expected a verdict"
}

# each FORMAT...: for i from 1 to many, each line with & replaced by i.
each() {
    for line in "$@"; do
        seq 1 $many | sed "s/.*/$line/"
    done
}

each 'T&|w(x)|' 'T&|r(x)|' > threads.std
each 'T&|racq(m)|' 'T&|rrel(m)|' > readers.std
each 'T1|arrive(b)|' 'T2|depart(b)|' > latch.std
seq 1 $many | sed 's/.*/L&|arrive(b)|\nM|arrive(b)|\nM|depart(b)|/' > rounds.std
each 'T1|post(s)|' 'T2|take(s)|' > posts.std
each 'T1|begin|' 'T1|call(f&)|' 'T1|acq(m&)|' > deep.std
for trace in threads readers latch rounds posts deep; do
    for engine in summaries velodrome aerodrome; do
        quickly check --engine $engine $trace.std
        rm out err
    done
    quickly info $trace.std
done

seq 1 $many | sed 's/.*/A|begin|\nA|w(x&)|\nB|w(x&)|\nA|w(x&)|\nA|end|/' > violations.std
for engine in summaries velodrome aerodrome; do
    quickly check --all --engine $engine --json result.json violations.std
    expect_out "^violation: $many blocks are not atomic"
    [ "$(grep -o '"variable"' result.json | wc -l)" = $((2 * many)) ] || fail "expected every step"
done

# One block that stays open lies on every cycle.
{
    echo 'A|begin|'
    seq 1 $many | sed 's/.*/B|begin|\nB|w(x&)|\nA|r(x&)|\nA|w(y&)|\nB|r(y&)|\nB|end|/'
} > hub.std
for engine in summaries velodrome; do
    quickly check --all --engine $engine hub.std
    expect_out "^violation: $many blocks are not atomic"
done

# Each can be violated by what is near it: the witness does not begin with the first event, nor does its check. Written down
# it does if it can.
seq 1 2000 | sed 's/.*/A|begin|\nA|r(x&)|\nA|w(x&)|\nA|end|\nB|w(x&)|\nC|acq(m)|\nC|w(y)|\nC|rel(m)|\nD|acq(m)|\nD|w(y)|\nD|rel(m)|/' > early.std
run predict --model avp --block 11001 --json early.json early.std
expect_status 1
expect_out '^  Everything before event 10489 happens as observed, and is not shown\.$'
! grep -q '"start": ' early.json || fail "the order should begin with the first event"
# Also if the time is over all blocks are listed: a part (--shard) must not lose a violation.
run predict --model avp --budget 0.5 --json cut.json early.std
blocks=$(grep -o '"blocks": [0-9]*' cut.json | grep -o '[0-9]*')
[ "$(grep -c '"verdict"' cut.json)" = "$blocks" ] || fail "expected all blocks that were read"
rm early.json cut.json
{ seq 1 70000 | sed 's/.*/Z|w(z)|/'; cat early.std; } > near.std
quickly predict --model avp --json near.json near.std
expect_out '^violation: 2000 of 2000 blocks can be violated$'
[ "$(grep -c '"start": ' near.json)" -gt 1900 ] || fail "witnesses should begin near their blocks"
[ "$(wc -c < near.json)" -lt 10000000 ] || fail "witnesses should be short"
run predict --model avp --block 81001 near.std
expect_status 1
expect_out '^  Everything before event 80489 happens as observed, and is not shown\.$'
run predict --model avp --block 81001 --schedules near near.std
expect_status 1
! grep -q 'Everything before event' out || fail "a schedule begins with the first event"

# All threads in a block at once, each with a clock for all others: that is no trace for aerodrome.
# It does not take the machine's memory, and says so; the other engines decide. (Sanitizers end the
# program themselves where there is no memory.)
[ "${INSTRUMENTED:-OFF}" = OFF ] || finish
{
    seq 1 20000 | sed 's/.*/T&|begin|/'
    seq 1 20000 | sed 's/.*/T&|r(x)|/'
} > crowd.std
run check --engine aerodrome --memory 500 --budget 60 crowd.std
expect_status 4
expect_err '^seriatim: out of memory \([0-9]+ bytes more were needed\)'
for engine in summaries velodrome; do
    run check --engine $engine --memory 500 --budget 60 crowd.std
    expect_status 0
done
finish
