# SPDX-License-Identifier: MIT
# judge.sh: what the tests of nasty programs share; sourced after lib.sh.
#
# A nasty program does what recorders are bad at, and prints the same whatever the schedule. Its
# first lines say what is special:
#
#     flags: ...       for the compiler
#     library: ...     flags with which the same file, with LIBRARY defined, becomes ./library.so
#     unseen: ...      writes that no instrumented code makes, so that values cannot be verified
#                      (in C++ the library makes them everywhere)
#
# judge_folder FOLDER builds each program in it, plainly and with the front end, and records it in
# both modes, and runs it without a recorder: output, messages and exit status are those of the
# plain program, the trace is well-formed and has the values that were written, and neither a file nor a process is left
# behind. Nothing waits for a time: the limit is for hangs.
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    exit 0
}
nasty=$here/nasty
all_flags='-g -O1 -pthread -w'
hang=${NASTY_LIMIT:-100}
modes='--mode=serial
--mode=serial --scheduler=random --seed=1 --quantum=50
--mode=parallel'

# said KEY FILE: what follows "KEY:" in the first lines of FILE.
said() {
    sed -n "1,6s|^[ /*]*$1: *\(.*[^ */]\)[ */]*$|\1|p" "$2"
}

# build FILE FOLDER COMPILER...: FOLDER/program, and FOLDER/library.so if it wants one.
# shellcheck disable=SC2046,SC2086 # flags are words
build() {
    file=$1
    into=$2
    shift 2
    shown="$* $file"
    status=0
    mkdir -p "$into"
    [ -z "$(said library "$file")" ] ||
        "$@" $all_flags -fPIC -shared -DLIBRARY $(said library "$file") "$file" -o "$into/library.so" > out 2> err ||
        status=$?
    "$@" $all_flags "$file" -o "$into/program" $(said flags "$file") > out 2> err || status=$?
    [ "$status" = 0 ] && [ ! -s err ] && return 0
    fail "expected a program and no message of the compiler"
    return 1
}

# run_in FOLDER COMMAND...: in that folder, as long as no program hangs.
run_in() {
    inside=$1
    shift
    status=0
    shown=$*
    (cd "$inside" && NASTY_MARK=$mark exec timeout -k 1 "$hang" "$@" > ../out 2> ../err < /dev/null) || status=$?
}

# Daemons may take a moment to end; after that nobody has our mark in the environment.
expect_no_process() {
    tries=0
    while left=$(grep -ls "NASTY_MARK=$mark" /proc/[0-9]*/environ); do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || {
            fail "expected no process left behind: $left"
            return
        }
        sleep 0.1
    done
}

# judge_mode FILE OPTIONS...: recorded in this way, it behaves like the plain program.
judge_mode() {
    file=$1
    shift
    case $file in
    *.cc) ;;
    *) [ -n "$(said unseen "$file")" ] || set -- "$@" --verify ;;
    esac
    rm -f trace.srt
    run_in recorded "$SERIATIM" record -q "$@" -o ../trace.srt -- ./program
    shown="record $* of $file"
    expect_status "$wanted_status"
    cp out printed
    cp err messages
    expect_same wanted printed
    expect_same wanted_messages messages
    expect_no_process
    [ -z "$(find . -name '*.part*')" ] || fail "expected no file left behind"
    run validate -q trace.srt
    shown="validate after record $* of $file"
    expect_status 0
}

# judge_unrecorded FILE: without a recorder, it behaves like the plain program.
judge_unrecorded() {
    run_in recorded ./program
    shown="$1 without a recorder"
    expect_status "$wanted_status"
    cp out printed
    cp err messages
    expect_same wanted printed
    expect_same wanted_messages messages
    expect_no_process
}

# judge FILE
judge() {
    rm -rf plain recorded
    mark=$$.${1##*/}
    case $1 in
    *.cc) build "$1" plain "$SERIATIM_CLANG++" && build "$1" recorded "$SERIATIM" c++ ;;
    *) build "$1" plain "$SERIATIM_CLANG" && build "$1" recorded "$SERIATIM" cc ;;
    esac || return 0
    run_in plain ./program
    wanted_status=$status
    cp out wanted
    cp err wanted_messages
    expect_no_process
    judge_unrecorded "$1"
    while read -r options; do
        # shellcheck disable=SC2086 # options are words
        judge_mode "$1" $options
    done << END
$modes
END
}

# judge_folder FOLDER
judge_folder() {
    for file in "$nasty/$1"/*.c "$nasty/$1"/*.cc; do
        [ ! -f "$file" ] || {
            echo "$file"
            judge "$file"
        }
    done
}
