#!/bin/sh
# SPDX-License-Identifier: MIT
# An exception that nobody catches is a failure; the exit status of the machine says nothing about it,
# unless it is the main thread's.
. "$(dirname "$0")/lib.sh"
javac -g -d . "$here/programs/Uncaught.java" "$here/programs/Unasked.java"

status=0
timeout 100 "$SERIATIM" run -o found -- java -cp . Uncaught > said 2>&1 || status=$?
[ $status = 1 ] || fail "the status is $status: $(cat said)"
grep -q '^[0-9]*\. An exception that nobody catches ends a thread under another schedule\.' said ||
    fail "expected the exception: $(cat said)"
grep -q 'T2 ends with java.lang.IllegalStateException at Uncaught.java:[0-9]* in Uncaught.use' said ||
    fail "expected its name and place: $(cat said)"
grep -q '"kind": "exception"' found/result.json || fail "expected it in result.json"

# So is one that a task leaves in a future which nobody asks; not if somebody does.
for asks in '' asks; do
    timeout 100 "$SERIATIM" explore -n 12 -o "future$asks" -- java -cp . Unasked $asks > said 2>&1 || :
    grep -q 'ends with java.lang.IllegalStateException at Unasked.java:[0-9]* in Unasked.sell' said || [ -n "$asks" ] ||
        fail "not where it fails: $(cat said)"
    # One, whether one task fails so or both.
    found=$(grep -c '^[0-9]*\. An exception' said || :)
    [ "$found" = "$([ -n "$asks" ] && echo 0 || echo 1)" ] || fail "the future, asked: '$asks': $(cat said)"
done
