#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs with data (tests/oracle_predict/programs), as C: recorded, predicted, replayed.
# Whatever is predicted as certain is shown by the program, and only blocks are reported that can be
# violated, as brute force over the programs shows. RANDOM_SEED and RANDOM_COUNT choose others.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

oracle=$BUILD/tests/oracle_predict/predict_oracle
seed=${RANDOM_SEED:-1}
count=${RANDOM_COUNT:-200}
found=0
printed=0

# build_programs LEVEL FIRST COUNT: one program of all
build_programs() {
    "$oracle" --print --seed "$2" --count "$3" > programs.c
    "$oracle" --violable --seed "$2" --count "$3" > violable
    run cc "$1" -g -pthread programs.c -o programs
    expect_status 0
}

# what_was_found: lines "STATUS LABEL"
what_was_found() {
    sed -n 's/.*"id": "[0-9a-f]*", "status": "\([a-z]*\)",.* "label": "\(b[0-9]*\)".*/\1 \2/p' \
        report.json
}

# look_at NUMBER LEVEL SEED
look_at() {
    run run -q --effort quick --atomic markers --seed "$3" --json report.json -- ./programs "$1"
    [ "$status" -le 1 ] || [ "$status" = 4 ] || fail "expected a verdict, seed $3, $2"
    what_was_found > found
    [ "$status" = 0 ] || [ -s found ] || fail "expected a block with a name, seed $3, $2"
    while read -r certainty block; do
        found=$((found + 1))
        case $certainty in
        observed | confirmed) ;;
        *) fail "$block of seed $3, $2: $certainty" ;;
        esac
        grep -qx "$1 $block" violable || fail "$block of seed $3, $2, cannot be violated"
    done < found
}

for level in -O0 -O1 -O2; do
    share=$((count / 3))
    [ $level != -O2 ] || share=$((count - printed))
    build_programs "$level" $((seed + printed)) "$share"
    number=0
    while [ "$number" -lt "$share" ]; do
        look_at "$number" "$level" $((seed + printed + number))
        number=$((number + 1))
    done
    printed=$((printed + share))
done
echo "$count programs, $found violations"
[ "$found" -ge $((count / 8)) ] || fail "expected more violations"
finish
