#!/bin/sh
# SPDX-License-Identifier: MIT
# Names that would command the terminal, in what the recorder writes: in a native trace, also one that
# is refused or cut short, in its spool, and in the folder of a run. Every command that prints
# them, in every format, shows them escaped. Traces that were converted: hostile.sh.
. "$(dirname "$0")/../lib.sh"
producer=$BUILD/tests/record_producer

# Clears the screen, in four ways; turns text around; ends lines; is no UTF-8; ends scripts and texts.
evil=$(printf '\033[2J\302\233 2J\233\342\200\256\342\201\246\342\200\250\342\200\213\177\377\rFORGED</script><img src=x>"]]>')

# script FILE: standard input, after the beginning of a run in which a block is violated.
script() {
    {
        echo "text 1 file$evil.c"
        echo "text 2 function$evil"
        echo "text 3 variable$evil"
        echo "text 4 label$evil"
        cat << 'END'
site 1 1 10 2 3
site 2 1 20 2 3
fork 0 1 0 0 1
call 0 2 0 0 1
begin 0 4 0 0 1
r 0 0x404010 0 4 1
w 1 0x404010 2 4 2
w 0 0x404010 1 4 1
end 0 0 0 0 1
END
        cat
    } > "$1"
}

# look COMMAND...: what it prints is harmless, and the name is among it.
look() {
    run "$@"
    expect_harmless out err
    grep -aq '\\x1b\[2J\|\\u001b\[2J\|%1B\[2J' out err || fail "the name should be shown, escaped"
}

# look_at_files FILE...
look_at_files() {
    for kept; do
        expect_harmless "$kept"
    done
}

# --- a trace: whole, refused, cut short -----------------------------------------------------------
script whole < /dev/null
printf 'join 0 1 0 0 1\nw 1 0x404010 1 4 2\n' | script refused
run record -o whole.srt -- "$producer" whole
expect_harmless out err
run record -o refused.srt -- "$producer" refused
head -c $(($(wc -c < whole.srt) - 20)) whole.srt > cut.srt
for trace in whole.srt cut.srt; do
    run info $trace # shows no names: none of this trace is a note
    expect_harmless out err
    look check --all $trace
    look check --json - $trace
    look predict --verbose --schedules schedules $trace
    look predict --json - $trace
    look convert --to text $trace
    for format in text html sarif junit chrome dot; do
        look report -f $format $trace
    done
    look_at_files schedules/*
done
for command in validate info predict report 'check --all' 'validate --lenient' 'predict --lenient'; do
    # shellcheck disable=SC2086 # a command and its options
    look $command refused.srt
done

# --- a spool --------------------------------------------------------------------------------------
{
    echo 'say ready'
    echo hang
} | script hanging
"$SERIATIM" record -o hanging.srt -- "$producer" hanging > recorder.out 2>&1 < /dev/null &
recorder=$!
wait_for 'the last record' grep -q ready recorder.out
look debug ring $recorder
program=$(sed -n 's/^process \([0-9]*\) is recorded.*/\1/p' out)
spool_has_names() {
    run debug spool hanging.srt.part
    grep -q ' end ' out
}
wait_for 'the spool' spool_has_names
look debug spool hanging.srt.part
kill -9 $recorder
wait $recorder 2> /dev/null
kill "$program"

# --- the folder of a run --------------------------------------------------------------------------
look run --effort quick -o found -- "$producer" whole
expect_status 1
look run --effort quick --json - -o found -- "$producer" whole
look run --effort quick --ci -o found -- "$producer" whole
look_at_files found/result.json found/report.sarif found/junit.xml found/index.html found/*.schedule
id=$(sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p' found/result.json | head -n 1)
look explain -f found "$id"
expect_status 0
look report found
look report --stacks found
run report --gen-suppressions rules -o reports found
expect_harmless out err
for format in sarif:report.sarif junit:junit.xml chrome:trace.json dot:graph.dot html:index.html; do
    expect_harmless "reports/${format#*:}"
    python3 "$here/formats.py" "${format%%:*}" "reports/${format#*:}" || fail "reports/${format#*:} is wrong"
done
look_at_files reports/report.txt rules
look merge -o merged found
look_at_files merged/result.json
run replay -f found -o replay.srt "$id"
expect_harmless out err
look run --effort quick -o again -- "$producer" refused
expect_status 3
look report again
look_at_files again/result.json
finish
