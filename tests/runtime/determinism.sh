#!/bin/sh
# SPDX-License-Identifier: MIT
# determinism.sh: the same seed gives the same run, another seed another.
set -eu
. "$(dirname "$0")/lib.sh"

trace() {
    run -s -x 7 -o "scheduler=$1:quantum=20:seed=$2" bank
}

for scheduler in round-robin random pct; do
    first=$(trace $scheduler 3)
    same "$scheduler" "$first" "$(trace $scheduler 3)"
    same "$scheduler" "$first" "$(trace $scheduler 3)"
    [ $scheduler = round-robin ] || differ "$scheduler" "$first" "$(trace $scheduler 4)"
done
finish
