#!/bin/sh
# SPDX-License-Identifier: MIT
# seriatim explore finds the mistakes that small programs of the literature have, without being told
# what is atomic. A wrong program says what the report says of it.
. "$(dirname "$0")/../lib.sh"
. "$here/shapes/try.sh"

for file in "$here"/shapes/wrong/*; do
    finds=$(sed -n 's/.*finds: \([a-zA-Z_ ]*[a-z]\).*/\1/p' "$file")
    try "$file"
    expect_status 1
    expect_out "^[0-9]+\. \"?$finds"
    ! grep -q '; one entry' "$file" || ! grep -q '^2\. ' out || fail "expected one entry"
done

# What to change: the caller, and both halves of what it does.
try "$here/shapes/wrong/getters.cc"
expect_out '^1\. a block in buy\(\) \('
expect_out '^   What to change: hold one lock over both the check in available\(\) and the act in take\(\)'

# The same, with the lock behind functions of its own: those are not what is to be changed.
try "$here/shapes/wrong/wrapped.c"
expect_out '^   What to change: hold one lock over both the check in free_seats\(\) and the act in take_seat\(\)'

# A count of references that is read again: one entry, for the function that is to be fixed.
try "$source_folder/examples/refcount/wrong.c"
expect_out '^1\. release\(\) \('
grep -q '^2\. ' out && fail "expected one entry"
expect_out '^   What to change: use the value that the atomic operation at '

# It fails in the same way without an interruption that was forced.
try "$here/shapes/wrong/cleared.c"
expect_out '^   Confirmed: it happened, and signal 11 \(.*\) ended the program as before$'

# A lock that two threads get at once: what goes wrong behind it is no entry of its own.
try "$here/shapes/wrong/own_lock.c"
expect_out '^1\. lock_it\(\) \('
grep -q '^2\. ' out && fail "expected one entry"
expect_out '^   Only after that [1-9] more places? can be interrupted:$'
expect_out '^     an assignment in worker\(\) \(.*, interrupted by worker\(\)$'

try "$here/shapes/wrong/flag_lock.c" --schedules 64
grep -q '^2\. ' out && fail "expected one entry"
expect_out '^     deposit\(\) \(.*, interrupted by deposit\(\)$'

# Uses of memory that is freed at one place are one bug.
try "$here/shapes/wrong/reload.c"
grep -q '^2\. ' out && fail "expected one entry"
expect_out '^   What to change: do not free it in unref\(\) \(line '

# A look and its act belong together, whatever goes wrong between them.
try "$here/shapes/wrong/both_close.c"
expect_out '^   What to change: in close_it\(\), hold lock from line 15 to line 21: do not release it at line 16\.'
try "$here/shapes/wrong/set_up.c"
expect_out '^   What to change: in prime\(\), use one atomic operation, .* from line 22 to( line|$)'
try "$here/shapes/wrong/too_early.c"
expect_out '^   What to change: in build\(\), set shared \(line 16\) only when all that it points to is ready'

# Nothing but what the program printed speaks for it: the entry says so.
try "$here/shapes/wrong/move.c"
expect_out 'it prints "2 entries" instead of "3 entries"$'

try "$here/shapes/wrong/box_office.cc" --schedules 64
expect_out 'it prints "sold 3 of 2" instead of "sold 2 of 2"$'

# What a call leaves for its caller in memory that all threads share.
try "$here/shapes/wrong/static_buffer.c"
expect_out '^   What to change: give each thread its own label.text, or read it before'

# Only the function is named: the critical section that comes between belongs together all the same.
echo touch > names
try "$here/shapes/wrong/move.c" --atomic names
expect_status 1
expect_out '^1\. touch\(\) \('

# All that a thread does is named: what is lost is a bug.
echo worker > names
try "$here/shapes/wrong/named_worker.c" --atomic names
expect_status 1
expect_out '^1\. worker\(\) \('

finish
