#!/bin/sh
# SPDX-License-Identifier: MIT
# What the runtime leaves out of traces (--runtime exact=N) is missed by nobody: random programs
# (random/private.c, random/words.c) are recorded with and without it, in turns that end where
# the program says, so that it is the same run. Such a trace is well-formed, every
# read in it has a writer, it is the same again for the same seed, it has no violation that the
# whole trace has not, observed or predicted, and each that is predicted is shown by
# a replay; nothing is found in correct programs. In parallel mode, where runs are not the same
# again, all that holds of one trace, also of random/pages.c, whose pages change hands.
# PRIVATE_FROM and PRIVATE_TO choose the seeds; many of them:
#     PRIVATE_FROM=1 PRIVATE_TO=1000 SERIATIM=build/seriatim BUILD=build sh tests/e2e/recorded/private.sh
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

for program in private words halves pages; do
    "$SERIATIM" cc -O1 -g -pthread "$here/random/$program.c" -o $program || fail "$program should build"
done
long_turns='--scheduler=round-robin --quantum=1000000
--scheduler=pct --quantum=100000 --depth=1'
replays=0

# record EXACT OPTIONS...: one run of $program with $seed, into EXACT.srt.
record() {
    into=$1
    shift
    run record -o "$into.srt" --verify --budget 20 --seed "$seed" --runtime "exact=$into" "$@" -- \
        "./$program" "$seed"
    expect_status 0
    ! grep -q nobody err || fail "expected a writer for every read"
    run validate "$into.srt"
    expect_status 0
}

# Stacks of threads that have ended may be used again or not: values may be addresses.
text_of() {
    run convert -q "$1.srt" -o text.std
    sed 's/|value=[0-9]*//' text.std
}

# The labels of blocks that can be violated, and whether one was. (Which ones --all finds depends on
# those it has found before.)
violations() {
    run predict -q --json - "$1.srt"
    [ "$status" -le 1 ] || fail "expected a verdict"
    sed -n 's/.*"verdict": "violation".*"label": "\([^"]*\)".*/predicted \1/p' out
    run check -q "$1.srt"
    [ "$status" -le 1 ] || fail "expected a verdict"
    [ "$status" = 0 ] || echo observed
}

# expect_subset PART WHOLE: what is found in the first trace is found in the second.
expect_subset() {
    violations "$1" | sort -u > some
    violations "$2" | sort -u > whole
    [ -z "$(comm -23 some whole)" ] || fail "found only if accesses are elided: $(comm -23 some whole)"
}

expect_again() {
    text_of "$exact" > before
    record "$exact" "$@"
    text_of "$exact" > after
    expect_same before after
}

# A broken read-modify-write writes in the program, and not in the predictions.
is_predicted_exactly() {
    ! sed -n 's/^broken //p' "$1" | tr ' ' '\n' | while read -r event; do
        sed -n "${event}p" text.std
    done | grep -Eq '\|rmw\(|\|r\(counter\)'
}

replay_some() {
    rm -rf schedules
    text_of "$exact" > /dev/null
    run predict -q --schedules schedules "$exact.srt"
    for schedule in $(find . -path './schedules/*' | sort | head -n 2); do
        is_predicted_exactly "$schedule" || continue
        run replay -q --attempts 1 "$exact.srt" --schedule "$schedule" -- "./$program" "$seed"
        [ "$status" = 1 ] || fail "expected it to be shown: $program, seed $seed, exact=$exact"
        replays=$((replays + 1))
    done
}

# compare OPTIONS...: $program with $seed, with all and with what $exact leaves.
compare() {
    record all "$@"
    record "$exact" "$@"
    expect_subset "$exact" all
    expect_again "$@"
    [ "$program$((seed % 4))" = words3 ] || replay_some # that has ranges, which are not divided
    run run --effort quick -q --budget 20 --seed "$seed" --runtime "exact=$exact" "$@" -- "./$program" "$seed" correct
    expect_status 0
}

# Parallel runs are not the same again.
go_parallel() {
    record "$exact" --mode=parallel
    [ "$program$((seed % 4))" = words3 ] || replay_some
    run run --effort quick -q --budget 20 --seed "$seed" --runtime "exact=$exact" --mode=parallel -- \
        "./$program" "$seed" correct
    expect_status 0
}

program=halves seed=1 exact=0
record 0 --quantum=100
replay_some

seed=${PRIVATE_FROM:-1}
while [ "$seed" -le "${PRIVATE_TO:-12}" ]; do
    exact=$(echo "0 7 50 500" | cut -d' ' -f"$((seed % 4 + 1))")
    for program in private words; do
        # shellcheck disable=SC2046 # options are words
        compare $(echo "$long_turns" | sed -n "$((seed % 2 + 1))p")
        go_parallel
    done
    program=pages
    go_parallel
    seed=$((seed + 1))
done
[ $replays -gt 0 ] || fail "expected predictions"
finish
