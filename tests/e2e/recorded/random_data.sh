#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs whose reads go into stores, branches and addresses (random/data.awk): what the
# model data predicts is shown by a replay that follows every step of it. So no value was taken
# for data only that decided something. RANDOM_FROM and RANDOM_TO choose the seeds.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

by_data=0
printf 'block_0\nblock_1\nblock_2\n' > atomic

# look_at SEED LEVEL
look_at() {
    awk -v seed="$1" -f "$here/random/data.awk" > program.c
    run cc "$2" -pthread program.c -o program
    expect_status 0
    run record -q -o run.srt --seed "$1" --scheduler random --quantum 20 -- ./program
    expect_status 0
    rm -rf schedules
    run predict -q --model data --atomic ./atomic --json report.json --schedules schedules run.srt
    [ "$status" -le 1 ] || fail "expected a verdict for seed $1"
    by_data=$((by_data + $(grep -c '"model": *"data"' report.json)))
    for schedule in $(find . -path './schedules/*' | sort | head -n 3); do
        run replay -q --attempts 1 --model data --atomic ./atomic run.srt --schedule "$schedule" \
            -- ./program
        [ "$status" = 1 ] || fail "expected it to be shown, seed $1, $2"
    done
}

seed=${RANDOM_FROM:-1}
while [ "$seed" -le "${RANDOM_TO:-18}" ]; do
    look_at "$seed" "-O$((seed % 3))"
    seed=$((seed + 1))
done
[ $by_data -gt 1 ] || fail "expected predictions of the model data"
finish
