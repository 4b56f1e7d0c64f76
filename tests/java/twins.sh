#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples, and twins of ours: in the wrong one a violation is found and confirmed on the real virtual
# machine, or was observed, or the program fails; the correct one is silent.
. "$(dirname "$0")/lib.sh"
examples=$here/../../examples/java
for twin in wrong correct; do
    mkdir "$twin"
    javac -g -d "$twin" "$examples"/*/$twin/*.java "$here"/twins/$twin/*.java
    for source in "$examples"/*/$twin/*.java "$here"/twins/$twin/*.java; do
        class=$(basename "$source" .java)
        status=0
        schedules="--schedules 2"
        case "$class $twin" in
        "Iterating wrong" | "Chained wrong" | "Streamed "*) schedules= ;; # it is seen only under some schedules
        esac
        timeout 100 "$SERIATIM" run $schedules -o "$twin/$class.out" -- java -cp $twin "$class" > said 2>&1 || status=$?
        case $twin in
        wrong)
            [ "$class" != Formats ] || grep -q '^1\. Formats.show() .* is not atomic' said || fail "whose is it? $(cat said)"
            [ $status = 1 ] || fail "$class: status $status: $(cat said)"
            grep -qE 'Confirmed|[Oo]bserved|deadlocks|under another schedule' said || fail "$class was not confirmed: $(cat said)"
            ;;
        correct) [ $status = 0 ] || fail "$class, the correct one: status $status: $(cat said)" ;;
        esac
    done
done

# Without the agent it is said what is missing.
cp "$SERIATIM" alone
status=0
./alone run -- java -version > said 2>&1 || status=$?
[ $status = 3 ] || fail "without the agent the status is $status"
grep -q 'libseriatim-java.so is missing' said || fail "without the agent: $(cat said)"
