#!/bin/sh
# SPDX-License-Identifier: MIT
# cancel.sh: main or another thread is cancelled, at any place: it ends, and the others go on.
# 144: the program's end was recorded.
set -eu
. "$(dirname "$0")/lib.sh"

deferred='pause read sigwait condition shared hammered semaphore join loop disabled'
anywhere='pause condition hammered semaphore join disabled accesses computation mutex rwlock barrier'

# all [options of the harness]
all() {
    for who in main thread; do
        for place in $deferred; do
            run "$@" -n 144=1 cancel $who $place
        done
        for place in $anywhere; do
            run "$@" -n 144=1 cancel $who $place async
        done
    done
}

for place in $deferred; do
    "$BIN/runtime_cancel" main "$place"
done
all
all -p
for seed in 1 2 3; do
    all -o "scheduler=random:quantum=5:seed=$seed"
done
all -o scheduler=pct:quantum=20:seed=1
finish
