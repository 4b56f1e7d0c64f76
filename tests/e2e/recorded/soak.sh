#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs that end by construction (random/soak.c) end under every scheduler, within a
# bounded number of turns. SOAK_FROM and SOAK_TO choose the programs, SOAK_SEEDS how many seeds
# each of them has; many of them:
#     SOAK_FROM=1 SOAK_TO=1000 SOAK_SEEDS=20 SERIATIM=build/seriatim BUILD=build sh tests/e2e/recorded/soak.sh
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

"$SERIATIM" cc -D_GNU_SOURCE -O1 -pthread "$here/random/soak.c" -o soak || fail "the program should build"
most_turns=1000000 # those that poll may have many in the time that others sleep

# look_at PROGRAM OPTIONS...
look_at() {
    program=$1
    shift
    rm -f run.srt
    run record -q -o run.srt --budget 60 --runtime turns=1 "$@" -- ./soak "$program"
    expect_status 0
    expect_out done
    run info run.srt # and well-formed
    expect_status 0
    turns=$(sed -n 's/^note: \([0-9]*\) turns$/\1/p' out)
    [ "${turns:-0}" -lt $most_turns ] || fail "expected fewer turns: soak $program, $*"
}

program=${SOAK_FROM:-1}
while [ "$program" -le "${SOAK_TO:-20}" ]; do
    seed=1
    while [ "$seed" -le "${SOAK_SEEDS:-2}" ]; do
        quantum=$(echo 4000 1 100 2 5 1000 3 10 | cut -d ' ' -f $(((program + seed) % 8 + 1)))
        for scheduler in round-robin random pct; do
            look_at "$program" --scheduler=$scheduler --seed=$seed --quantum="$quantum"
        done
        look_at "$program" --mode=parallel
        seed=$((seed + 1))
    done
    program=$((program + 1))
done
run validate -q run.srt
expect_status 0
finish
