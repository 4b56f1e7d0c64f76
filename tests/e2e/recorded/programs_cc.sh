#!/bin/sh
# SPDX-License-Identifier: MIT
# C++ programs as others write them, with known verdicts: programs/{wrong,correct}/*.cc.
# They share a precompiled header, which saves half of the time.
. "$(dirname "$0")/../lib.sh"
. "$here/programs/judge.sh"

cat "$programs"/*/*.cc | grep '^#include <' | sort -u > std.h
all_flags="-std=c++20 $all_flags"
# shellcheck disable=SC2086 # flags are words
"$SERIATIM_CLANG++" $all_flags -x c++-header std.h -o plain.pch || fail "expected a plain.pch"
# shellcheck disable=SC2086
run c++ $all_flags -x c++-header std.h -o recorded.pch
expect_status 0
plain_flags='-include-pch plain.pch'
recorded_flags='-include-pch recorded.pch'

for kind in wrong correct; do
    for file in "$programs"/$kind/*.cc; do
        judge $kind "$file"
    done
done
finish
