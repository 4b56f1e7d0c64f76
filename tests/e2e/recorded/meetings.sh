#!/bin/sh
# SPDX-License-Identifier: MIT
# Locks and queues of a library that is not instrumented and that the runtime does not know: what they
# order stays ordered, so that correct programs are not accused, and wrong ones are found and shown.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cc -O1 -shared -fPIC "$here/meetings/stand_in.c" -o libstand_in.so || fail "it should build"
"$SERIATIM" cc -g -O1 -pthread "$here/meetings/pairs.c" -L. -lstand_in -Wl,-rpath,"$PWD" \
    -o pairs || fail "it should build"

for what in lock queue; do
    ./pairs $what correct > plain
    run record --seed 1 -o run.srt -- ./pairs $what correct
    expect_status 0
    cmp -s plain out || fail "expected the same output"
    run validate run.srt
    expect_status 0
    run run --effort quick -- ./pairs $what correct
    expect_status 0
    expect_out '^no violation: '
done

# The lock is one, so that another thread is predicted to come between its two sections.
run run --effort quick -- ./pairs lock wrong
expect_status 1
expect_out '^1\. withdraw\(\) '
expect_out '^   Confirmed: it happened'

# Calls of a queue keep their order.
run record --seed 1 -o run.srt -- ./pairs queue correct
run convert run.srt -o run.txt
grep -q 'take.*full' run.txt || fail "the calls should be in the trace"
finish
