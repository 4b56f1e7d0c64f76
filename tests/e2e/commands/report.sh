#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports of traces and of results: every format is what it should be, results may be moved, and
# what is missing makes a report poorer, not wrong.
. "$(dirname "$0")/../lib.sh"

# expect_formats FOLDER: all formats are there, and well-formed.
expect_formats() {
    for pair in sarif:report.sarif junit:junit.xml chrome:trace.json dot:graph.dot html:index.html; do
        python3 "$here/formats.py" "${pair%%:*}" "$1/${pair#*:}" > said 2>&1 ||
            fail "$1/${pair#*:} is wrong: $(tail -n 3 said)"
    done
    [ -s "$1/report.txt" ] || fail "$1/report.txt is missing"
}

# --- a trace -------------------------------------------------------------------------------
cp "$source_folder/examples/traces/audit.std" .
run report audit.std
expect_status 1
expect_no_err
expect_out '^1\. audit \(audit\.c:11\) is not atomic  \[[0-9a-f]+\] predicted$'
expect_out 'audit .auditor. read alice.balance = 100 at line 13; then teller set it to 20'
expect_out 'reads bob.balance = 80 \(teller.s, was 0\)'
expect_out 'to replay: seriatim replay audit.std --block 5 -- PROGRAM'
[ "$(tail -n 1 out)" = 'violation: 1 finding' ] || fail "the last line should be the verdict"
! grep -q "$(printf '\033')" out || fail "colours are for terminals only"
mv out wanted
run report audit.std -o all
expect_status 1
expect_no_out
expect_formats all
expect_same wanted all/report.txt

# On a terminal it has colours, unless NO_COLOR is set.
on_terminal() {
    TERM=xterm python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$SERIATIM" report audit.std > coloured
}
unset NO_COLOR
on_terminal
grep -q "$(printf '\033\[1m')" coloured || fail "expected colours on a terminal"
NO_COLOR=1 on_terminal
! grep -q "$(printf '\033')" coloured || fail "NO_COLOR should be respected"

# The name of a file says its format, or an option does.
for pair in report.sarif:sarif junit.xml:junit trace.json:chrome graph.dot:dot report.txt:text index.html:html; do
    run report audit.std -o "one.${pair%%:*}"
    expect_status 1
    expect_same "all/${pair%%:*}" "one.${pair%%:*}"
    run report audit.std --format "${pair#*:}" -o -
    expect_same "all/${pair%%:*}" out
done
run report audit.std -o one.unknown
expect_status 2
expect_err 'cannot tell the format'
run report audit.std -o audit.std
expect_status 2
cmp -s audit.std "$source_folder/examples/traces/audit.std" || fail "the trace was overwritten"

# Nothing found; several results in one report.
grep -v '^teller' audit.std | grep -v 'fork(teller)' | grep -v 'join(teller)' > quiet.std
run report quiet.std
expect_status 0
expect_out '^none: nothing was found$'
run report quiet.std audit.std -o both
expect_status 1
expect_formats both
grep -q 'tests="2" failures="1"' both/junit.xml || fail "two results should be two suites"
echo 'T|w(x)|' > single.std
run report single.std --format junit
expect_out 'skipped message="only one thread ran"'

# --- what is no result ------------------------------------------------------------------------
echo '{"violations": []}' > wrong.json
run report wrong.json
expect_status 3
expect_err 'wrong.json: not a result of seriatim run or explore'
echo '{"violations": [}' > wrong.json
run report wrong.json
expect_status 3
expect_err 'wrong.json: line 1, column'
mkdir empty
run report empty
expect_status 3
run report nothing.std
expect_status 3

# --- a result of run ----------------------------------------------------------------------------
[ -f "$BUILD/libseriatim-rt.so" ] || finish
cp "$source_folder/examples/bank/wrong.c" bank.c
"$SERIATIM" cc -g -o bank bank.c -pthread || fail "the program was not built"
run run --effort quick --report made -- ./bank
expect_status 1
expect_formats made
[ "$(wc -c < made/index.html)" -lt 200000 ] || fail "the page of the bank should be small"
run report seriatim.out
expect_status 1
expect_no_err
expect_same made/report.txt out
expect_out 'is not atomic  \[[0-9a-f]+\] confirmed$'
expect_out '> .*reads tellers'
expect_out 'bank.c:37:28$'
expect_out '[|]    int balance = account->balance;$'
expect_out 'to replay: seriatim replay seriatim.out/run-1.srt --schedule seriatim.out/violation-1.schedule -- ./bank'

# What the report says replays.
command=$(sed -n 's/^ *to replay: seriatim //p' out)
eval "run $command"
expect_status 1
expect_out '^shown: '

# Elsewhere, and without its trace.
mkdir moved
mv seriatim.out moved/there
cd moved || exit 1
run report there
expect_status 1
expect_out 'T2.s, was 180'
rm there/run-1.srt
run report there
expect_status 1
expect_err 'is reported without its interleaving'
expect_out 'transfer\(\) \(T2\) wrote it at line 28'
run report there/result.json -o poorer
expect_status 1
expect_formats poorer

# A folder of something else.
mkdir empty
run report empty
expect_status 3
expect_err '^seriatim: empty: not an output folder of seriatim run, explore or merge$'
finish
