#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs with threads (random/threads.c): every violation that is predicted is shown by
# a replay, also if private accesses were elided; none is predicted for correct
# ones, and nothing hangs. RANDOM_FROM and RANDOM_TO
# choose the seeds; many of them:
#     RANDOM_FROM=1 RANDOM_TO=1000 SERIATIM=build/seriatim BUILD=build sh tests/e2e/recorded/random.sh
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

"$SERIATIM" cc -O1 -pthread "$here/random/threads.c" -o threads || fail "the program should build"
options='--scheduler=round-robin
--scheduler=random --quantum=15
--scheduler=pct --length=500
--mode=parallel'
replays=0

# replay_all SEED OPTIONS...: one run, and its first predictions.
replay_all() {
    seed=$1
    shift
    run record -q -o run.srt --budget 20 --seed "$seed" "$@" -- ./threads "$seed"
    expect_status 0
    rm -rf schedules
    run predict -q --schedules schedules run.srt
    [ "$status" -le 1 ] || fail "expected a verdict for seed $seed"
    for schedule in $(find . -path './schedules/*' | sort | head -n 3); do
        run replay -q --attempts 1 run.srt --schedule "$schedule" -- ./threads "$seed"
        [ "$status" = 1 ] || fail "expected it to be shown, seed $seed, $*"
        replays=$((replays + 1))
    done
}

# look_at SEED OPTIONS...
look_at() {
    replay_all "$@"
    replay_all "$@" --shared
    replay_all "$@" --runtime exact=0
    seed=$1
    shift
    for exact in all 0; do
        run run --effort quick -q --budget 20 --seed "$seed" --runtime exact=$exact "$@" -- ./threads "$seed" correct
        expect_status 0
    done
}

seed=${RANDOM_FROM:-1}
while [ "$seed" -le "${RANDOM_TO:-30}" ]; do
    # shellcheck disable=SC2046 # options are words
    look_at "$seed" $(echo "$options" | sed -n "$((seed % 4 + 1))p")
    seed=$((seed + 1))
done
[ $replays -gt 0 ] || fail "expected predictions"
finish
