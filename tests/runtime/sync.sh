#!/bin/sh
# SPDX-License-Identifier: MIT
# sync.sh: locks, conditions, barriers, semaphores, once, C11: what they return is what
# POSIX says, and what is recorded keeps the rules. The programs check the first, the
# harness the second. Numbers are those of ser_op and ser_raw_op.
set -eu
. "$(dirname "$0")/lib.sh"

for mode in '' -p; do
    # 8: failed tries; two of them twice, by time-out
    run $mode -m 8=9 locks
    # 16, 17: barriers; 18, 19: semaphores
    run $mode -n 16=40 -n 17=40 -m 18=51 -m 19=51 waiting
    run $mode c11
    run $mode -n 20=42 -n 21=42 -n 11=2 -n 12=2 -m 134=42 -m 135=42 various
    run $mode outside
    run $mode modules
    run $mode -l signals
    run $mode -l -o exact=0 traps
    run $mode -d self
    run $mode -d deadlock
done
for scheduler in random pct; do
    for seed in 1 2 3; do
        options="scheduler=$scheduler:seed=$seed:quantum=3"
        run -o $options locks
        run -o $options waiting
        run -o $options c11
        run -o $options -d deadlock
    done
done
# 141: the token was taken from a thread that blocked unseen
run -m 141=1 outside
finish
