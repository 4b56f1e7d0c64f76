#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C and --budget: the command ends soon, says so, leaves nothing half-done.
. "$(dirname "$0")/../lib.sh"

mkfifo pipe

# start COMMAND...: runs it on a pipe that never ends, and at first holds the file first.std.
: > first.std
start() {
    shown="seriatim $*"
    { cat first.std; exec sleep 600; } > pipe &
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
    wait_for 'the handler' catches_signals "$process"
    kill -TERM "$process"
    ended
    expect_status 4
    expect_err 'interrupted'
done

# What has come through a pipe is analysed without waiting for more of it.
for thread in 1 2 3; do
    printf 'T1|begin|\nT1|r(x%s)|a.c:1\n' $thread
    printf 'T2|w(x%s)|a.c:2\n' $thread
    printf 'T1|w(x%s)|a.c:3\nT1|end|\n' $thread
done > first.std
for engine in summaries velodrome aerodrome; do
    start check --engine $engine -
    ended
    expect_status 1
    expect_out 'block 1-5 of thread T1'
    expect_out '\| comes before, by variable x1'
done

# What was found before Ctrl-C is explained.
for engine in summaries velodrome aerodrome; do
    start check --all --engine $engine -
    wait_for 'all to be written' runs "$sleeper" sleep
    wait_for 'all to be read' stands_still "$process"
    kill -TERM "$process"
    ended
    expect_status 1
    expect_out '15 events, 2 threads, 0 locks, 3 variables, 3 blocks'
    expect_out 'block 11-15 of thread T1'
    expect_out '\| comes before, by variable x3'
    expect_out 'partial'
done
: > first.std

# Enough events that the time is up before the end, whatever the machine.
{ seq 1 3000000 | sed 's/.*/T1|w(x)|/' | zstd -q; } > long.zst
start convert --budget 0.02 long.zst -o long.srt
ended
expect_status 4
expect_err 'budget was used up: nothing was written'
expect_files first.std long.zst pipe
finish
