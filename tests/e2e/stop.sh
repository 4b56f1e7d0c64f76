#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C and --budget: the command ends soon, says so, leaves nothing half-done.
. "$(dirname "$0")/lib.sh"

mkfifo pipe

# start COMMAND...: runs it on a pipe that never ends.
start() {
    shown="seriatim $*"
    sleep 60 > pipe &
    sleeper=$!
    "$SERIATIM" "$@" < pipe > out 2> err &
    process=$!
}

# ended: waits for the command and stops what held the pipe open.
ended() {
    status=0
    wait "$process" || status=$?
    kill "$sleeper" 2> /dev/null
    wait "$sleeper" 2> /dev/null
}

for command in validate info check predict "convert -o out.srt"; do
    # shellcheck disable=SC2086 # command and its options
    start $command --budget 0.2 -
    ended
    expect_status 4
    expect_err 'budget was used up'

    # shellcheck disable=SC2086
    start $command -
    sleep 0.3
    kill -TERM "$process"
    ended
    expect_status 4
    expect_err 'interrupted'
done

# Enough events that the time is up before the end, whatever the machine.
{ seq 1 3000000 | sed 's/.*/T1|w(x)|/' | zstd -q; } > long.zst
start convert --budget 0.02 long.zst -o long.srt
ended
expect_status 4
expect_err 'budget was used up: nothing was written'
expect_files long.zst pipe
finish
