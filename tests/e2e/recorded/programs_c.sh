#!/bin/sh
# SPDX-License-Identifier: MIT
# C programs as others write them, with known verdicts: programs/{wrong,correct}/*.c.
. "$(dirname "$0")/../lib.sh"
. "$here/programs/judge.sh"
record_options=--verify # all of these programs is instrumented, so every value is known

for kind in wrong correct; do
    for file in "$programs"/$kind/*.c; do
        judge $kind "$file"
    done
done
finish
