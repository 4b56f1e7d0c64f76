#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples: in the wrong twin a violation is found and confirmed on the real virtual machine, or
# was observed; the correct one is silent.
. "$(dirname "$0")/lib.sh"
for folder in "$here"/../../examples/java/*/; do
    name=$(basename "$folder")
    for twin in wrong correct; do
        mkdir -p "$name/$twin"
        javac -g -d "$name/$twin" "$folder/$twin"/*.java
        class=$(basename "$folder/$twin"/*.java .java)
        status=0
        timeout 100 "$SERIATIM" run -o "$name/$twin/out" -- java -cp "$name/$twin" "$class" > said 2>&1 || status=$?
        case $twin in
        wrong)
            [ $status = 1 ] || fail "$name/wrong: status $status: $(cat said)"
            grep -qE 'Confirmed|[Oo]bserved' said || fail "$name/wrong was not confirmed: $(cat said)"
            ;;
        correct) [ $status = 0 ] || fail "$name/correct: status $status: $(cat said)" ;;
        esac
    done
done

# Without the agent it is said what is missing.
cp "$SERIATIM" alone
status=0
./alone run -- java -version > said 2>&1 || status=$?
[ $status = 3 ] || fail "without the agent the status is $status"
grep -q 'libseriatim-java.so is missing' said || fail "without the agent: $(cat said)"
