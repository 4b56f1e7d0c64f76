#!/bin/sh
# SPDX-License-Identifier: MIT
# A thread in a library of which nothing is recorded wakes a recorded one, by a futex: that is no
# deadlock.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cc -O1 -shared -fPIC -pthread "$here/elsewhere/lock.c" -o liblock.so || fail "it should build"
"$SERIATIM" cc -g -O1 -pthread "$here/elsewhere/program.c" -L. -llock -Wl,-rpath,"$PWD" -o program ||
    fail "it should build"

for how in '--seed 1' '--mode parallel'; do
    # shellcheck disable=SC2086 # words
    run record $how -o run.srt -- ./program
    expect_status 0
    expect_out '^done$'
    run validate run.srt
    expect_status 0
done
finish
