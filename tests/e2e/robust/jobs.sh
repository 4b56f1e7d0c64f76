#!/bin/sh
# SPDX-License-Identifier: MIT
# Blocks are decided side by side, with the same results as one after another. The
# thread sanitizer's build runs this, too: with engines of ours only, since it cannot
# see into Z3.
. "$(dirname "$0")/../lib.sh"

# Each thread writes what two others do as well, some of it under a lock.
for thread in 1 2 3 4; do
    for round in 1 2 3; do
        variable=$(((thread + round) % 3))
        printf 'T%s|begin|\nT%s|w(x%s)|\n' $thread $thread $variable
        [ $round -lt 3 ] || printf 'T%s|acq(m)|\n' $thread
        printf 'T%s|w(y%s)|\n' $thread $round
        [ $round -lt 3 ] || printf 'T%s|rel(m)|\n' $thread
        printf 'T%s|w(x%s)|\nT%s|end|\n' $thread $variable $thread
    done
done > many.std

verdicts() {
    grep -o '"begin":[0-9]*\|"verdict":"[a-z]*"' "$1"
}

for engine in states dpor; do
    for jobs in 1 4; do
        run predict --engine $engine --jobs $jobs --no-static --json $engine$jobs.json many.std
        expect_status 1
        expect_no_err
        verdicts $engine$jobs.json > $engine$jobs.verdicts
    done
    expect_same ${engine}1.verdicts ${engine}4.verdicts
done
expect_same states1.verdicts dpor1.verdicts
finish
