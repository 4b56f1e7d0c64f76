#!/bin/sh
# SPDX-License-Identifier: MIT
# Results that cannot be written: exit status 3, the reason, nothing left behind.
. "$(dirname "$0")/../lib.sh"

seq 1 50000 | sed 's/.*/T1|w(x&)|&/' > long.std
printf 'T1|r(x)|1\n' > short.std

for trace in long.std short.std; do
    for format in text native; do
        run convert --to $format $trace -o /dev/full
        expect_status 3
        expect_err 'cannot write /dev/full: No space left'
        status=0
        shown="convert --to $format $trace > /dev/full"
        "$SERIATIM" convert --to $format $trace > /dev/full 2> err || status=$?
        expect_status 3
        expect_err 'cannot write standard output: No space left'
    done
done
for command in validate info check "info --json -" "check --json -"; do
    status=0
    shown="$command short.std > /dev/full"
    # shellcheck disable=SC2086 # command and its options
    "$SERIATIM" $command short.std > /dev/full 2> err || status=$?
    expect_status 3
    expect_err 'cannot write standard output: No space left'
done
for command in info check; do
    run $command --json /dev/full short.std
    expect_status 3
    expect_err '/dev/full: No space left'
    run $command --json no_such_folder/result.json short.std
    expect_status 3
    expect_err 'no_such_folder/result.json: No such file'
done
run convert long.std -o no_such_folder/long.srt
expect_status 3
expect_err 'no_such_folder/long.srt: No such file'
expect_files long.std short.std
finish
