#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim explore finds the mistakes that small programs of the literature have, without being told
# what is atomic, and accuses none of their correct relatives. shapes/{wrong,correct}/*: a wrong
# program says what the report says of it.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }
[ "${INSTRUMENTED:-OFF}" = OFF ] || finish # the other replays are enough there

# try FILE
try() {
    case $1 in
    *.cc) front_end=c++ ;;
    *) front_end=cc ;;
    esac
    "$SERIATIM" $front_end -O1 -g -pthread "$1" -o program || fail "$1 should build"
    run explore --schedules 24 -o tried -- ./program
    shown="$shown: $1"
}

for file in "$here"/shapes/wrong/*; do
    finds=$(sed -n 's/.*finds: \([a-zA-Z_ ]*[a-z]\).*/\1/p' "$file")
    try "$file"
    expect_status 1
    expect_out "^[0-9]+\. \"?$finds"
done

# What to change: the caller, and both halves of what it does.
try "$here/shapes/wrong/getters.cc"
expect_out '^1\. a block in buy\(\) \('
expect_out '^   It checks in available\(\) and acts in take\(\), and lets others in between:$'

# A count of references that is read again: one entry, for the function that is to be mended.
try "$source_folder/examples/refcount/wrong.c"
expect_out '^1\. release\(\) \('
grep -q '^2\. ' out && fail "expected one entry"
expect_out '^   What to change: use the value that the atomic operation at '

# A lock that two threads get at once: what goes wrong behind it is no entry of its own.
try "$here/shapes/wrong/own_lock.c"
expect_out '^1\. lock_it\(\) \('
grep -q '^2\. ' out && fail "expected one entry"
expect_out '^   Only after that [1-9] more places? can be interrupted:$'
expect_out '^     an assignment in worker\(\) \(.*, interrupted by worker\(\)$'

for file in "$here"/shapes/correct/*; do
    try "$file"
    expect_status 0
    expect_out '^no violation'
done

finish
