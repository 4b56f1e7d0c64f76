#!/bin/sh
# SPDX-License-Identifier: MIT
# The locks of a library, around those of POSIX, are known by their names: who looks in one critical
# section and acts in the next is found.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cc -O1 -shared -fPIC -pthread "$here/elsewhere/wrapped.c" -o libwrapped.so || fail "it should build"

for define in '' -DWRONG; do
    # shellcheck disable=SC2086 # none is a word, too
    "$SERIATIM" cc -g -O1 $define "$here/elsewhere/buyers.c" -L. -lwrapped -Wl,-rpath,"$PWD" \
        -o buyers || fail "it should build"
    run run -- ./buyers
    if [ -z "$define" ]; then
        expect_status 0
        expect_out '^no violation'
    else
        expect_status 1
        expect_out '^1\. .*buy\(\)'
        expect_out 'Confirmed: it happened'
    fi
done
finish
