#!/bin/sh
# SPDX-License-Identifier: MIT
# determinism.sh: the same seed gives the same run, another seed another; also if operations are
# elided and the recorder is slow.
set -eu
. "$(dirname "$0")/lib.sh"

trace() {
    run -s -x 7 -o "scheduler=$1:quantum=20:seed=$2" bank
}

# long SCHEDULER [options of the harness]
long() {
    scheduler=$1
    shift
    run -s "$@" -o "scheduler=$scheduler:quantum=300:seed=3:exact=0" turns | cksum
}

for scheduler in round-robin random pct; do
    first=$(trace $scheduler 3)
    same "$scheduler" "$first" "$(trace $scheduler 3)"
    same "$scheduler" "$first" "$(trace $scheduler 3)"
    [ $scheduler = round-robin ] || differ "$scheduler" "$first" "$(trace $scheduler 4)"
    same "$scheduler, slowly" "$(long $scheduler)" "$(long $scheduler -w)"
done
finish
