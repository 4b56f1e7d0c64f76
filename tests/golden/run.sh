#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM [--update] [TEST...]: compares what seriatim says about small
# hand-made traces with what it should say.
#
# A test is a file NAME.RUN.expected beside a trace NAME.std (or NAME.srt; or NAME.log, a
# RoadRunner log). RUN is a command, perhaps with a word to tell several runs
# apart: bank.check.expected, bank.check-all.expected. If there is a file
# NAME.RUN.args, its words are options: `--all`. The first line expected is
# `exit N`, then come standard output and, after it, standard error.
#
# Without TEST (bank.check-all) all of them are run. --update writes what was
# said into the expected files, also into one that is not there yet: look at the
# difference before you commit it.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
update=false
[ "${1:-}" != --update ] || { update=true; shift; }
cd "$(dirname "$0")" || exit 1
export ASAN_OPTIONS="exitcode=99:${ASAN_OPTIONS:-}"

[ $# -gt 0 ] || set -- $(ls | sed -n 's/\.expected$//p')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

trace_of() {
    for ending in std log srt; do
        [ ! -f "$1.$ending" ] || echo "$1.$ending"
    done
}

# what_is_said TRACE COMMAND OPTIONS...
what_is_said() {
    trace=$1
    shift
    status=0
    "$program" "$@" "$trace" > "$folder/out" 2> "$folder/err" || status=$?
    echo "exit $status"
    cat "$folder/out" "$folder/err"
}

count=0
failures=0
for test in "$@"; do
    name=${test%.*}
    run=${test##*.}
    options=
    [ ! -f "$test.args" ] || options=$(cat "$test.args")
    # shellcheck disable=SC2086 # options are words
    what_is_said "$(trace_of "$name")" "${run%%-*}" $options > "$folder/said"
    count=$((count + 1))
    if $update; then
        cp "$folder/said" "$test.expected"
    elif ! diff -u "$test.expected" "$folder/said"; then
        failures=$((failures + 1))
        echo "FAILED: $test"
    fi
done
echo "$count golden tests, $failures failed"
[ "$failures" = 0 ] && [ "$count" -gt 0 ]
