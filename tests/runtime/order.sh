#!/bin/sh
# SPDX-License-Identifier: MIT
# order.sh: is the recorded order that of the run? Threads hammer the same words
# without locks; every read must have the value of its last recorded write.
set -eu
. "$(dirname "$0")/lib.sh"

for scheduler in round-robin random pct; do
    for quantum in 1 7 1000; do
        run -o "scheduler=$scheduler:quantum=$quantum:seed=$quantum" hammer 4 3000
    done
done
run hammer 2 200000
for threads in 2 3 8; do
    run -p hammer $threads 30000
done
run -x 7 -n 4=3000 -n 5=3000 bank
run -p -x 7 -n 4=3000 -n 5=3000 bank
finish
