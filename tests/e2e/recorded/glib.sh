#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with GLib, or rather with a library that has its names and is not instrumented either: its
# locks, conditions, queues and pools are seen. Wrong programs are found and shown, correct ones are
# not accused.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cc -O1 -shared -fPIC -pthread "$here/glib/stand_in.c" -o libstand_in.so || fail "it should build"
"$SERIATIM" cc -g -O1 -pthread "$here/glib/pairs.c" -L. -lstand_in -Wl,-rpath,"$PWD" -o pairs ||
    fail "it should build"

for what in condition queue pool; do
    ./pairs $what correct > plain
    for how in '--seed 1' '--mode parallel'; do
        # shellcheck disable=SC2086 # words
        run record $how -o run.srt -- ./pairs $what correct
        expect_status 0
        cmp -s plain out || fail "expected the same output ($how)"
        run validate run.srt
        expect_status 0
    done
    run run -- ./pairs $what wrong
    expect_status 1
    expect_out '^1\. deposit\(\) '
    expect_out '^   Confirmed: it happened'
    run run --effort quick -- ./pairs $what correct
    expect_status 0
    expect_out '^no violation: '
done
finish
