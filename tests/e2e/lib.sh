# SPDX-License-Identifier: MIT
# lib.sh: what the tests of the command line share. A test is a script
#
#     . "$(dirname "$0")/../lib.sh"
#     run check trace.std
#     expect_status 1
#     expect_out 'violation'
#     finish
#
# run by ctest with $SERIATIM, the program. It works in a folder of its own that
# goes away at the end. `run` keeps standard output in the file out and standard
# error in err. Patterns are extended regular expressions. All failures are
# shown; finish makes them count.
set -u
: "${SERIATIM:?names the program to test}"
case $SERIATIM in
/*) ;;
*) SERIATIM=$PWD/$SERIATIM ;;
esac
case ${BUILD:=} in
'' | /*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
here=$(cd "$(dirname "$0")/.." && pwd) # tests/e2e
source_folder=$(cd "$here/../.." && pwd)
failures=0

# A sanitizer's complaint must not look like one of our exit codes.
export ASAN_OPTIONS="exitcode=99:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="exitcode=99:${UBSAN_OPTIONS:-}"
export LSAN_OPTIONS="exitcode=99:${LSAN_OPTIONS:-}"

folder=$(mktemp -d)
trap 'cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 1

run() {
    shown="seriatim $*"
    status=0
    "$SERIATIM" "$@" > out 2> err < /dev/null || status=$?
}

# run_with_input FILE ARGUMENTS...: the same, with FILE as standard input.
run_with_input() {
    input=$1
    shift
    shown="seriatim $* < $input"
    status=0
    "$SERIATIM" "$@" > out 2> err < "$input" || status=$?
}

fail() {
    failures=$((failures + 1))
    echo "FAILED: $1"
    echo "  after: ${shown:-} (exit status ${status:-none})"
    [ ! -f out ] || head -c 2000 out | sed 's/^/  out: /'
    [ ! -f err ] || head -c 2000 err | sed 's/^/  err: /'
}

expect_status() {
    [ "$status" = "$1" ] || fail "expected exit status $1"
}

expect_out() {
    grep -Eq -- "$1" out || fail "expected on standard output: $1"
}

expect_err() {
    grep -Eq -- "$1" err || fail "expected on standard error: $1"
}

expect_no_out() {
    [ ! -s out ] || fail "expected nothing on standard output"
}

expect_no_err() {
    [ ! -s err ] || fail "expected nothing on standard error"
}

expect_same() {
    cmp -s "$1" "$2" || {
        fail "expected $1 and $2 to be the same"
        diff "$1" "$2" | head -n 10
    }
}

# Only these files are in the folder: nothing half-written was left behind.
expect_files() {
    found=$(find . -mindepth 1 ! -name out ! -name err | sed 's|^\./||' | sort | tr '\n' ' ')
    wanted=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
    [ "$found" = "$wanted" ] || fail "expected the files $wanted, found $found"
}

harmful='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf'

# expect_harmless FILE...: valid UTF-8 without characters that command a terminal, turn text around or
# cannot be seen, and no line is forged.
expect_harmless() {
    for file; do
        if LC_ALL=C grep -aqP "$harmful" "$file" || ! iconv -f UTF-8 -t UTF-8 "$file" > /dev/null 2>&1; then
            fail "what is harmful should not be in $file: $(LC_ALL=C cat -v "$file" | head -c 500)"
        fi
        ! grep -aq '^FORGED' "$file" || fail "a line was forged in $file"
    done
}

# wait_for WHAT COMMAND...: until the command succeeds. A sign of what was done, never a guess of
# how long it takes; only what will never come is given up, after two minutes.
wait_for() {
    awaited=$1
    shift
    for _ in $(seq 2400); do
        ! "$@" || return 0
        sleep 0.05
    done
    fail "waited for it for two minutes: $awaited"
    return 1
}

# catches_signals PROCESS: it is seriatim, and SIGTERM (bit 14) no longer ends it at once.
catches_signals() {
    grep -Eq '^SigCgt:[[:space:]]*[0-9a-f]*[4-7c-f][0-9a-f]{3}$' "/proc/$1/status"
}

# stands_still PROCESS: the same, and it waits: for input, or for a reader of its output.
stands_still() {
    catches_signals "$1" && grep -q '^State:[[:space:]]*S' "/proc/$1/status"
}

# has_computed PROCESS TICKS: it has used that much time of a processor, however long that took.
has_computed() {
    [ "$(cut -d ' ' -f 14 "/proc/$1/stat")" -ge "$2" ]
}

# runs PROCESS PROGRAM: the process has become it.
runs() {
    [ "$(cat "/proc/$1/comm" 2> /dev/null)" = "$2" ]
}

# is_gone PROCESS: it has ended (and is a zombie at most).
is_gone() {
    ! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$1/status" 2> /dev/null
}

finish() {
    [ "$failures" = 0 ] || {
        echo "$failures failed"
        exit 1
    }
    exit 0
}
