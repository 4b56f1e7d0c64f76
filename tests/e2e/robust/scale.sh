#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces that would take minutes if some work grew with the square of their length,
# or fill the memory: each must be done within a budget that is far more than enough.
. "$(dirname "$0")/../lib.sh"
many=100000

# quickly COMMAND...: the program comes to an end by itself.
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
finish
