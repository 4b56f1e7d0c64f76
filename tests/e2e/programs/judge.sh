# SPDX-License-Identifier: MIT
# judge.sh: what the tests of recorded programs share; sourced after lib.sh.
#
# A program says in its first lines what is atomic in it, and what else is special:
#
#     blocks: markers | locks | functions | NAME, NAME, ...    (names of functions)
#     flags: ...                                               (for the compiler)
#     may deadlock: ...      some schedules do; these are left out
#     failed tries: ...      which order what they meet, so `check` may speak of them
#
# judge wrong|correct FILE builds it, plainly and with the front end, records some
# schedules, and compares: output and exit status are those of the plain program (unless
# the mistake of a wrong one was seen to happen), and every trace is well-formed. A wrong
# program must be caught by prediction from a run in which `check` finds nothing, if need be of
# some more schedules; a correct one must never be accused.
[ -n "${SERIATIM_CLANG:-}" ] || {
    echo "skipped: built without LLVM"
    exit 0
}
programs=$here/programs
schedules='--scheduler=round-robin
--scheduler=random --seed=1 --quantum=5
--scheduler=random --seed=16 --quantum=2
--scheduler=pct --seed=1 --length=100
--mode=parallel'
more_schedules=$(printf -- '--scheduler=random --seed=%s --quantum=3\n' 2 3 4 5 6 7 8)
all_flags='-O1 -pthread'
plain_flags="-I$source_folder/include"
recorded_flags=''
record_options=''

# said KEY FILE: what follows "KEY:" in the first lines of FILE.
said() {
    sed -n "1,15s|^[ /*]*$1: *||Ip" "$2"
}

# choose_blocks FILE: sets blocks, the argument of --atomic.
choose_blocks() {
    blocks=$(said blocks "$1")
    case $blocks in
    markers | locks | functions) return ;;
    '') fail "expected a line about blocks in $1" ;;
    esac
    echo "$blocks" | tr -d ' ' | tr ',' '\n' > names
    blocks=names
}

# build FILE: ./plain and ./recorded.
# shellcheck disable=SC2046,SC2086 # flags are words
build() {
    case $1 in
    *.cc) plain_compiler=$SERIATIM_CLANG++ front_end=c++ ;;
    *) plain_compiler=$SERIATIM_CLANG front_end=cc ;;
    esac
    set -- $all_flags $(said flags "$1") "$1"
    shown="$plain_compiler $*"
    "$plain_compiler" $plain_flags "$@" verifier.o -o plain > out 2> err || fail "expected a program"
    run "$front_end" $recorded_flags "$@" -o recorded
    expect_status 0
    expect_no_err
}

# record FILE OPTIONS...: one schedule, into trace.srt. False if there is none to look at.
record() {
    file=$1
    shift
    rm -f trace.srt
    # shellcheck disable=SC2086 # options are words
    run record -q $record_options -o trace.srt "$@" -- ./recorded
    [ "$status" != 6 ] || [ -z "$(said 'may deadlock' "$file")" ] || return 1
    expect_status "$wanted_status"
    expect_no_err
    cp out printed
    run validate trace.srt
    expect_status 0
}

# verdict COMMAND: sets status, 0 or 1, from what it says about trace.srt.
verdict() {
    run "$1" -q --atomic "$blocks" trace.srt
    [ "$status" -le 1 ] || fail "expected a verdict"
}

# run_plain: ./plain, which prints what is wanted; sets wanted_status. A program that may deadlock may do so here, too: it
# gets several tries.
run_plain() {
    for _ in 1 2 3 4 5; do
        wanted_status=0
        timeout 20 ./plain > wanted 2> err < /dev/null || wanted_status=$?
        [ "$wanted_status" = 124 ] || return 0
    done
    fail "expected ./plain to end"
}

# The mistake may have happened in the plain program's run: then that is not what is wanted, and
# it runs again.
expect_printed_plainly() {
    tries=0
    while ! cmp -s wanted printed && [ $tries -lt 30 ]; do
        tries=$((tries + 1))
        run_plain
    done
    expect_same wanted printed
}

judge_wrong() {
    verdict check
    [ "$status" = 0 ] || return 0
    expect_printed_plainly
    verdict predict
    caught=$((caught + status))
}

# judge_correct FILE
judge_correct() {
    expect_same wanted printed
    verdict predict
    [ "$status" = 0 ] || fail "expected no prediction for a correct program"
    [ -z "$(said 'failed tries' "$1")" ] || return 0
    verdict check
    [ "$status" = 0 ] || fail "expected no violation in a correct program"
}

# judge_schedules KIND FILE: those on standard input, one per line.
judge_schedules() {
    while read -r options; do
        # shellcheck disable=SC2086 # options are words
        ! record "$2" $options || "judge_$1" "$2"
    done
}

# judge KIND FILE
judge() {
    echo "$1: $2"
    choose_blocks "$2"
    build "$2"
    run_plain
    caught=0
    judge_schedules "$1" "$2" << END
$schedules
END
    [ "$1/$caught" != wrong/0 ] || judge_schedules "$1" "$2" << END
$more_schedules
END
    shown=$2
    [ "$1/$caught" != wrong/0 ] || fail "expected a prediction in one of the schedules"
}

"$SERIATIM_CLANG" -c "$programs/verifier.c" -o verifier.o || fail "expected an object"
