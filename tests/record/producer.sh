# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# producer.sh, for tests of record: the program that writes records by a script, and its traces as
# text. To be read after e2e/lib.sh.
producer=$BUILD/tests/record_producer

# script FILE: standard input, after definitions that all scripts share.
script() {
    {
        cat << 'END'
text 1 bank.c
text 2 transfer
text 3 balance of struct account
text 4 main
text 5 x
site 1 1 10 4 0
site 2 1 42 2 3
site 3 1 43 2 0
site 4 1 50 2 5
END
        cat
    } > "$1"
}

# events FILE: the trace as text, without functions.
events() {
    "$SERIATIM" convert "$1" --to text -o - | sed 's/|function=[a-z]*//' > events
    "$SERIATIM" validate -q "$1" > out 2>&1 || fail "$1 is not well-formed"
}

expect_events() {
    cat > wanted
    events "$1"
    expect_same wanted events
}
