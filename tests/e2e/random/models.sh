# SPDX-License-Identifier: MIT
# models.sh: a loop for tests of prediction's models, with random programs. To be sourced after lib.sh:
#
#     replay_random_programs MODEL LAST
#
# Makes a program from random/MODEL.awk for each seed up to LAST (RANDOM_FROM and RANDOM_TO choose
# others), records it, predicts by the model, and replays what is predicted: each step of it must be
# followed, and the violation must be shown.

# replay_program MODEL SEED LEVEL
replay_program() {
    awk -v seed="$2" -f "$here/random/$1.awk" > program.c
    run cc "$3" -w -pthread program.c -o program
    expect_status 0
    run record -q -o run.srt --seed "$2" --scheduler random --quantum 20 -- ./program
    expect_status 0
    rm -rf schedules
    run predict -q --model "$1" --atomic ./atomic --json report.json --schedules schedules run.srt
    [ "$status" -le 1 ] || fail "expected a verdict for seed $2"
    by_model=$((by_model + $(grep -c "\"verdict\": \"violation\".*\"model\": \"$1\"" report.json)))
    for schedule in $(find . -path './schedules/*' | sort | head -n 3); do
        run replay -q --attempts 1 --model "$1" --atomic ./atomic run.srt --schedule "$schedule" \
            --strict -- ./program
        [ "$status" = 1 ] || fail "expected it to be shown, seed $2, $3"
    done
}

replay_random_programs() {
    by_model=0
    printf 'block_0\nblock_1\nblock_2\n' > atomic
    seed=${RANDOM_FROM:-1}
    while [ "$seed" -le "${RANDOM_TO:-$2}" ]; do
        replay_program "$1" "$seed" "-O$((seed % 3))"
        seed=$((seed + 1))
    done
    [ "$by_model" -gt 1 ] || fail "expected predictions that need the model $1"
}
