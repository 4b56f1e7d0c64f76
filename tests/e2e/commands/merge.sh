#!/bin/sh
# SPDX-License-Identifier: MIT
# Results of many runs as one: the same bug is one finding, a result that comes again replaces the one
# of before, and what is merged stands on its own.
. "$(dirname "$0")/../lib.sh"

# result FOLDER PROGRAM ID STATUS: what a run would leave, with one finding; without an ID with none.
result() {
    mkdir -p "$1"
    {
        echo '{"command": "run", "verdict": "'"${3:+violation}${3:-none}"'", "program": {"argv": ["'"$2"'"], "exit": 0},' |
            sed 's/"violation[0-9a-f]*"/"violation"/'
        echo '"traces": [{"path": "'"$1"'/run-1.srt", "threads": 2}], "runs": [{"exit": 0}], "failures": [], "violations": ['
        [ -z "$3" ] || echo '{"id": "'"$3"'", "status": "'"$4"'", "label": "b'"$3"'", "file": "a.c", "line": 3, "blocks": 1,
            "trace": "'"$1"'/run-1.srt", "schedule": "'"$1"'/violation-1.schedule", "accesses": []}'
        echo ']}'
    } > "$1/result.json"
    echo "trace of $1" > "$1/run-1.srt"
    echo "schedule of $1" > "$1/violation-1.schedule"
}
result tests/one/seriatim.out ./one aaaa predicted
result tests/two/seriatim.out ./two aaaa confirmed
result tests/three/seriatim.out ./three ''
result other/three/seriatim.out ./four bbbb predicted

run merge -o all tests/one/seriatim.out tests/two/seriatim.out tests/three/seriatim.out/result.json
expect_status 1
expect_out '^1\. baaaa \(a\.c:3\) is not atomic  \[aaaa\] confirmed$'
expect_out 'Also found in: \./one$'
expect_out '^violation: 1 finding$'

# It stands on its own, and each program has a suite, also where the bug is the same.
mv tests originals
run report all
expect_out 'to replay: seriatim replay all/two/run-1.srt --schedule all/two/violation-1.schedule -- ./two'
for file in run-1.srt violation-1.schedule result.json; do
    expect_same "originals/two/seriatim.out/$file" "all/two/$file"
done
[ ! -e all/three/run-1.srt ] || fail "a trace without a finding should stay where it is"
run explain -f all aaaa
expect_status 0
expect_out '^1\. baaaa \(a\.c:3\) is not atomic  \[aaaa\] confirmed$'
run explain -f all cccc
expect_status 3
expect_err 'all: no finding has the id cccc'
run report all --format junit -o -
expect_out '<testsuites name="seriatim" tests="3" failures="2"'
mv originals tests

# More of them; the same again, now without a bug; one with the name of another.
result tests/two/seriatim.out ./two ''
run merge -o all tests/two/seriatim.out other/three/seriatim.out --report all.xml
expect_status 1
expect_no_out
expect_same other/three/seriatim.out/result.json all/three-2/result.json
[ ! -e all/two/run-1.srt ] || fail "files of the result that was replaced should be gone"
grep -q 'tests="4" failures="2"' all.xml || fail "expected four suites: $(head -n 2 all.xml)"
[ "$(grep -c '"task"' all/result.json)" = 4 ] || fail "expected four tasks"

# What was merged can be merged; the order of the inputs does not matter to what is found.
run merge -o again all
expect_status 1
grep -q '"task": "three-2"' again/result.json || fail "the parts should keep their names"
run report again
expect_out '^violation: 2 findings$'

# What is no result, and what would be overwritten by itself.
cp again/result.json before
echo '{}' > wrong.json
run merge -o again tests/one/seriatim.out wrong.json
expect_status 3
expect_err 'wrong.json: not a result of'
expect_same before again/result.json
run merge -o again again/one
expect_status 2
expect_err 'it lies in the output folder'
run merge -o tests/one/seriatim.out tests/two/seriatim.out
expect_status 2
expect_err 'holds the result of a run'
run merge -o again nothing
expect_status 3
run merge -o quiet tests/three/seriatim.out
expect_status 0
expect_out '^none: nothing was found$'

# Folders that an index names are its own.
echo '{"command": "merge", "results": [{"folder": "../all"}, {"folder": "."}, {"folder": 7}]}' > quiet/result.json
run report quiet
expect_status 0
run explain -f quiet aaaa
expect_status 3
finish
