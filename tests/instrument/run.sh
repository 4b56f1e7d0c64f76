#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM...: each program of one file is compiled by plain clang and by the
# front ends, with -O1 or at the levels of optimisation in $LEVELS, and run. Both must print the same
# and exit the same; and what the instrumented one passes to the runtime (a fake
# one, fake_runtime.c) must be what the comments of the source say:
#
#     LOG: pattern      a line of the log matches the extended regular expression
#     NOT: pattern      no line does
#     ORDER: pattern    as LOG; such lines come in this order
#     COPY: pattern     as LOG, for a run without a recorder; other lines than these there are not
#     FLAGS: options    for both compilers
#     LEVELS: -O1 -O2   only with these of them
#
# Programs are given by absolute paths. $SERIATIM is the program that is tested and
# $SERIATIM_CLANG the clang it uses.

set -u
: "${SERIATIM:?}" "${SERIATIM_CLANG:?}"
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

"$SERIATIM_CLANG" -O1 -shared -fPIC "$here/fake_runtime.c" -o libfake.so || exit 1
SERIATIM_RUNTIME=$folder/libfake.so
export SERIATIM_RUNTIME

fail() {
    failures=$((failures + 1))
    echo "FAILED: $name $level: $1"
}

# comments WORD: what the source says behind the word, a line each
comments() {
    sed -n "s|^.*$1: \(.*\)|\1|p" "$source" | sed 's| *\*/$||'
}

check_log() {
    comments LOG > patterns
    while read -r pattern; do
        grep -Eq -- "$pattern" log || fail "not in the log: $pattern"
    done < patterns
    comments NOT > patterns
    while read -r pattern; do
        grep -E -m 1 -- "$pattern" log && fail "in the log: $pattern"
    done < patterns
    comments ORDER > patterns
    at=1
    while read -r pattern; do
        found=$(tail -n "+$at" log | grep -En -m 1 -- "$pattern" | cut -d: -f1)
        [ -n "$found" ] || {
            fail "not in the log, or too early: $pattern"
            break
        }
        at=$((at + found))
    done < patterns
}

# run_program: without a log, or with what is in the environment
run_program() {
    got=0
    ./program > out || got=$?
    [ "$got" = "$status" ] || fail "exit status $got instead of $status"
    cmp -s wanted out || fail "prints something else: $(head -n 3 out)"
}

# Without a recorder functions that have a copy go on in it, which records nothing.
check_copies() {
    rm -f log
    : > log
    FAKE_LOG=log FAKE_UNRECORDED=1 run_program
    comments COPY > patterns
    while read -r pattern; do
        grep -Eq -- "$pattern" log || fail "not in the log without a recorder: $pattern"
    done < patterns
    [ -s patterns ] || echo '^$' > patterns
    grep -Evf patterns log > told && fail "reported without a recorder: $(head -n 3 told)"
}

# build COMPILER...: the program, from a relative path, as users do
build() {
    # shellcheck disable=SC2086 # words
    "$@" $level $flags "$name" -o program 2> errors || {
        fail "does not compile: $(head -n 3 errors)"
        return 1
    }
    [ ! -s errors ] || fail "compiled with messages: $(head -n 3 errors)"
}

check_level() {
    case $source in
    *.cc) command=c++ clang=$SERIATIM_CLANG++ ;;
    *) command=cc clang=$SERIATIM_CLANG ;;
    esac
    build "$clang" -g "-I$here/../../include" || return
    status=0
    ./program > wanted || status=$?
    build "$SERIATIM" $command || return
    check_copies
    rm -f log
    FAKE_LOG=log run_program
    before=$failures
    check_log
    [ "$failures" = "$before" ] || {
        echo "  log:"
        grep -v ' at /usr/' log | head -n 60 | sed 's/^/    /'
    }
}

for source in "$@"; do
    name=$(basename "$source")
    cp "$source" .
    flags=$(comments FLAGS)
    allowed=$(comments LEVELS)
    for level in ${LEVELS:--O1}; do
        case " ${allowed:-$level} " in
        *" $level "*) check_level ;;
        esac
    done
done
[ "$failures" = 0 ] || {
    echo "$failures failed"
    exit 1
}
