# SPDX-License-Identifier: MIT
# lib.sh: for the tests of the runtime. BIN and RUNTIME come from ctest.
failed=0

# run [options of the harness] PROGRAM [arguments]: under the harness, must be as expected.
run() {
    line="$*"
    flags=''
    while [ "${1#-}" != "$1" ]; do
        case $1 in
        -[okxnm]) flags="$flags $1 $2" && shift 2 ;;
        *) flags="$flags $1" && shift ;;
        esac
    done
    program=$1
    shift
    # shellcheck disable=SC2086 # they are words
    "$BIN/runtime_harness" $flags "$BIN/runtime_$program" "$@" || {
        echo "failed: $line" >&2
        failed=1
    }
}

# same WHAT A B: A and B must be equal.
same() {
    [ "$2" = "$3" ] || {
        echo "$1: not the same" >&2
        failed=1
    }
}

# differ WHAT A B
differ() {
    [ "$2" != "$3" ] || {
        echo "$1: the same" >&2
        failed=1
    }
}

# wait_for COMMAND...: until it succeeds; what never comes is given up after two minutes.
wait_for() {
    for _ in $(seq 2400); do
        ! "$@" || return 0
        sleep 0.05
    done
    echo "waited too long: $*" >&2
    failed=1
}

finish() {
    exit $failed
}
