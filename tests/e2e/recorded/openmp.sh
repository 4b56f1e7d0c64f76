#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with OpenMP: the same output and well-formed traces in both modes; wrong ones are found
# and shown, correct ones are not accused.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

"$SERIATIM" cc -g -O1 -fopenmp "$here/openmp/constructs.c" -o constructs || fail "it should build"
"$SERIATIM" cc -g -O1 -fopenmp "$here/openmp/pairs.c" -o pairs || fail "it should build"

./constructs > plain
for how in '--seed 1' '--scheduler random --seed 2' '--scheduler pct --seed 3' '--mode parallel'; do
    # shellcheck disable=SC2086 # words
    run record $how -o run.srt -- ./constructs
    expect_status 0
    cmp -s plain out || fail "expected the same output ($how)"
    run validate run.srt
    expect_status 0
    grep -q 'not recorded\|could not be recorded' err && fail "expected all to be recorded ($how)"
done

for what in tasks queue best sum; do
    run run -- ./pairs $what wrong
    expect_status 1
    expect_out '^   Confirmed: it happened'
done
for what in tasks queue best sum loops; do
    run run --effort quick -- ./pairs $what correct
    expect_status 0
    expect_out '^no violation: '
done
finish
