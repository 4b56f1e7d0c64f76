#!/bin/sh
# SPDX-License-Identifier: MIT
# The library's example: records a program, predicts from it and replays it, from C.
. "$(dirname "$0")/../lib.sh"
if [ "${INSTRUMENTED:-OFF}" = ON ]; then
    echo "skipped: the library of this build works only in programs built like it"
    finish
fi
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    finish
}

cc -std=c11 -Wall -Wextra -Werror -pedantic "-I$source_folder/include" \
    "$source_folder/examples/library/confirm.c" "-L$BUILD" -lseriatim "-Wl,-rpath,$BUILD" -o confirm ||
    fail "the example cannot be built"
for kind in wrong correct; do
    "$SERIATIM" cc -g -pthread "-I$source_folder/include" "$source_folder/examples/bank/$kind.c" -o $kind ||
        fail "the $kind bank cannot be built"
done

# expect STATUS WORDS PROGRAM: the exit code, and words that are printed.
expect() {
    status=0
    ./confirm "$3" > out 2> err || status=$?
    [ $status -eq "$1" ] || fail "confirm $3 gave $status instead of $1: $(cat out err)"
    grep -q "$2" out err || fail "confirm $3 does not say \"$2\": $(cat out err)"
}
expect 1 'it happened' ./wrong
grep -q 'can be violated' out || fail "no block is named: $(cat out)"
[ ! -s err ] || fail "the library wrote to standard error: $(cat err)"
[ -s confirm-replay.srt ] || fail "the replay left no trace"
"$SERIATIM" check --atomic auto confirm-replay.srt > /dev/null && fail "the replay's trace has no violation"
expect 0 'no interleaving violates a block' ./correct
expect 127 'confirm: .*nowhere' ./nowhere
expect 3 'not instrumented' /bin/true
finish
