#!/bin/sh
# SPDX-License-Identifier: MIT
# second_try.sh: does tools/test-all try a test that failed once more, say so, and accept nothing
# else? It is run on suites of tests that are made here: of `true`, of `false`, and of what fails once.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    cat "$work/output" >&2
    exit 1
}

# suite NAME:COMMAND...: the tests of all presets, as the body of a CTestTestfile.
suite() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/tools" "$work/tree/tests/fuzz"
    cp "$root/tools/test-all" "$work/tree/tools/"
    cp "$root/CMakePresets.json" "$work/tree/"
    for stub in tools/build tests/fuzz/run.sh; do
        printf '#!/bin/sh\n' > "$work/tree/$stub"
        chmod +x "$work/tree/$stub"
    done
    for folder in build build/asan-ubsan build/tsan; do
        mkdir -p "$work/tree/$folder"
        for line in "$@"; do
            name=${line%%:*}
            echo "add_test(\"$name\" sh -c \"${line#*:}\")"
            echo "set_tests_properties(\"$name\" PROPERTIES LABELS races)"
        done > "$work/tree/$folder/CTestTestfile.cmake"
    done
}

# tried: runs it; prints its exit code.
tried() {
    status=0
    "$work/tree/tools/test-all" 1 1 > "$work/output" 2>&1 || status=$?
    echo "$status"
}

last_line() {
    tail -n 1 "$work/output"
}

once='test -e tried || { touch tried; exit 1; }'

suite 'e2e/good:true'
[ "$(tried)" = 0 ] || fail "what passes is refused"
[ "$(last_line)" = "3 tests passed, 0 failed; the fuzzers found nothing in 1 seconds each" ] || fail "another last line"
! grep -q 'second try' "$work/output" || fail "a second try of what passed"

suite 'e2e/good:true' "e2e/once:$once"
[ "$(tried)" = 0 ] || fail "what fails once is refused"
[ "$(last_line)" = "6 tests passed, 0 failed; the fuzzers found nothing in 1 seconds each" ] || fail "another last line"
for preset in release asan-ubsan tsan; do
    grep -q "^WARNING: passed only at the second try.* $preset:e2e/once\$" "$work/output" || fail "$preset: not named"
done

suite "e2e/once:$once" 'e2e/bad:false'
[ "$(tried)" = 1 ] || fail "what fails twice is accepted"
! last_line | grep -q ' 0 failed' || fail "what fails twice is counted as passed"

# the output of a test that failed is shown, and not taken for ctest's own
suite "e2e/once:test -e tried || { touch tried; echo '100% tests passed, 0 tests failed out of 5'; exit 1; }"
[ "$(tried)" = 0 ] || fail "confused by the output of a test"
last_line | grep -q '^3 tests passed, 0 failed' || fail "counted what a test printed"

set --
for number in 1 2 3 4 5 6 7 8 9; do
    set -- "$@" "e2e/once$number:test -e tried$number || { touch tried$number; exit 1; }"
done
suite "$@"
[ "$(tried)" = 1 ] || fail "nine failures are taken for an accident"
