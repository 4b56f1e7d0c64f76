#!/bin/sh
# SPDX-License-Identifier: MIT
# robust.sh: robust mutexes whose owner died, as a thread or another process: all results are
# those of POSIX, and what is recorded keeps the rules.
set -eu
. "$(dirname "$0")/lib.sh"

for who in thread child; do
    "$BIN/runtime_robust" $who
    for mode in '' -p '-o scheduler=random:quantum=5' '-o scheduler=pct:quantum=20'; do
        run $mode robust $who
    done
done
finish
