#!/bin/sh
# SPDX-License-Identifier: MIT
# ends.sh: threads that are cancelled or leave early, children of fork, and every end
# of a program: what was recorded before is there. 144: the program's end was recorded.
set -eu
. "$(dirname "$0")/lib.sh"

for mode in '' -p; do
    run $mode -n 144=1 ends cancel
    run $mode -n 144=1 ends leave
    run $mode -n 144=1 ends handler
    run $mode -n 144=1 ends fork
    run $mode -n 144=1 ends pthread_exit
    run $mode -x 11 -n 144=1 -n 2=1 ends exit
    run $mode -x 12 -n 144=1 -n 2=1 ends _exit
    run $mode -k 6 -n 2=1 ends abort
    run $mode -k 9 -n 2=1 ends kill
    run $mode -k 11 -n 2=1 ends crash
done

# hammers RECORDER: its program has started its two threads, or is done already.
hammers() {
    program=$(cat "/proc/$1/task/$1/children" 2> /dev/null)
    [ -e "$done" ] || [ "$(ls "/proc/${program% }/task" 2> /dev/null | wc -l)" -ge 3 ]
}

# The recorder is killed: the program goes on to its end.
for mode in '' -p; do
    done=$(mktemp -u)
    "$BIN/runtime_harness" $mode "$BIN/runtime_hammer" 2 3000000 "$done" &
    recorder=$!
    wait_for hammers $recorder
    kill -9 $recorder
    wait $recorder 2>/dev/null || true
    wait_for test -e "$done"
    [ -e "$done" ] || {
        echo "the program did not outlive its recorder ($mode)" >&2
        failed=1
    }
    rm -f "$done"
done

# Without a recorder a program is just itself.
for way in cancel leave handler fork pthread_exit; do
    "$BIN/runtime_ends" $way
done
for program in locks waiting c11 various outside; do
    "$BIN/runtime_$program"
done
finish
