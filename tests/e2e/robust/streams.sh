#!/bin/sh
# SPDX-License-Identifier: MIT
# Standard streams that end early, are limited or closed: an error, no signal, and
# nothing that goes to the wrong place.
. "$(dirname "$0")/../lib.sh"

seq 1 50000 | sed 's/.*/T1|w(x&)|&/' > long.std
printf 'T1|r(x)|1\n' > short.std

# What comes next in the pipe has seen enough.
for command in "convert --to text" "convert --to native"; do
    shown="seriatim $command long.std | head -c 1"
    # shellcheck disable=SC2086 # command and its options
    { status=0; "$SERIATIM" $command long.std 2> err || status=$?; echo $status > code; } |
        head -c 1 > out
    status=$(cat code)
    expect_status 3
    expect_err 'cannot write standard output: Broken pipe'
done
# A result of one line may be written before the reader is gone: read nothing.
mkfifo pipe
for command in "check" "check --json -" "info" "validate" "info --help" "--man" "--version"; do
    case $command in -* | *--help) trace= ;; *) trace=short.std ;; esac
    shown="seriatim $command $trace > a pipe that nobody reads any more"
    sh -c 'exec 3< pipe; exec 3<&-' &
    exec 4> pipe
    wait $!
    status=0
    # shellcheck disable=SC2086
    "$SERIATIM" $command $trace >&4 2> err || status=$?
    exec 4>&-
    expect_status 3
    expect_err 'cannot write standard output: Broken pipe'
done

# A signal that comes while results wait for a slow reader takes nothing away from them.
seq 1 2000 | sed 's/.*/A|begin|\nA|w(x&)|\nB|w(x&)|\nA|w(x&)|\nA|end|/' > violations.std
run check --all violations.std
mv out wanted
shown="seriatim check --all violations.std > a slow reader"
{ wait_for 'the signal' test -e signalled; cat; } < pipe > out &
reader=$!
"$SERIATIM" check --all violations.std > pipe 2> err &
process=$!
wait_for 'the pipe to be full' stands_still $process
kill -TERM $process
: > signalled
status=0
wait $process || status=$?
wait $reader
expect_status 1
expect_no_err
expect_same out wanted
rm violations.std wanted signalled

# A limit on the size of files.
for command in "convert --to text long.std -o limited.std" "convert long.std -o limited.srt"; do
    shown="seriatim $command, with ulimit -f 8"
    status=0
    # shellcheck disable=SC2086
    (ulimit -f 8; exec "$SERIATIM" $command) > out 2> err || status=$?
    expect_status 3
    expect_err 'cannot write limited\.(std|srt): File too large'
done
expect_files code long.std pipe short.std

# Streams that the caller closed: no file may take their place.
shown="seriatim check short.std >&-"
status=0
"$SERIATIM" check short.std >&- 2> err || status=$?
expect_status 3
expect_err 'cannot write standard output: Bad file descriptor'
shown="seriatim check - <&-"
status=0
"$SERIATIM" check - <&- > out 2> err || status=$?
expect_status 3
expect_err 'cannot read standard input'
printf 'T1|begin|1\nT1|rel(m)|2\n' > wrong.std
shown="seriatim convert --lenient wrong.std -o converted.std <&- 2>&-"
status=0
"$SERIATIM" convert --lenient wrong.std -o converted.std <&- > out 2>&- || status=$?
expect_status 0
printf 'T1|begin|1\nT1|skip|2\n' > wanted.std
expect_same converted.std wanted.std
finish
