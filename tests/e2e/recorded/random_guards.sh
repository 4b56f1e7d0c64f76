#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs whose reads decide where threads go (random/guards.awk): what the model guards
# predicts is shown by a replay that follows every step of it. So no value was accepted that leads
# another way. RANDOM_FROM and RANDOM_TO choose the seeds.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

by_guards=0
printf 'block_0\nblock_1\nblock_2\n' > atomic

# look_at SEED LEVEL
look_at() {
    awk -v seed="$1" -f "$here/random/guards.awk" > program.c
    run cc "$2" -w -pthread program.c -o program
    expect_status 0
    run record -q -o run.srt --seed "$1" --scheduler random --quantum 20 -- ./program
    expect_status 0
    rm -rf schedules
    run predict -q --model guards --atomic ./atomic --json report.json --schedules schedules run.srt
    [ "$status" -le 1 ] || fail "expected a verdict for seed $1"
    by_guards=$((by_guards + $(grep -c '"verdict": "violation".*"model": "guards"' report.json)))
    for schedule in $(find . -path './schedules/*' | sort | head -n 3); do
        run replay -q --attempts 1 --model guards --atomic ./atomic run.srt --schedule "$schedule" \
            --strict -- ./program
        [ "$status" = 1 ] || fail "expected it to be shown, seed $1, $2"
    done
}

seed=${RANDOM_FROM:-1}
while [ "$seed" -le "${RANDOM_TO:-15}" ]; do
    look_at "$seed" "-O$((seed % 3))"
    seed=$((seed + 1))
done
[ $by_guards -gt 1 ] || fail "expected predictions that need the model guards"
finish
