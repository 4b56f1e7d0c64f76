#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that records what cannot have happened (its memory is damaged, or the runtime has a bug):
# its trace is refused. No command takes that for "no violation".
. "$(dirname "$0")/../lib.sh"
producer=$BUILD/tests/record_producer

# Two runs of one program. In the first a block is violated; in the other, T1 goes on after it was
# joined.
cat > violated << 'END'
text 1 bank.c
text 2 transfer
site 1 1 10 2 0
fork 0 1 0 0 1
begin 0 2 0 0 1
r 0 0x404010 0 4 1
w 1 0x404010 2 4 1
w 0 0x404010 1 4 1
end 0 0 0 0 1
END
{
    cat violated
    echo 'join 0 1 0 0 1'
    echo 'w 1 0x404010 1 4 1'
} > impossible
refusal='event 8: T1 has an event, w\(0x404010\), although T0 joined it at event 7'

run record -o impossible.srt -- "$producer" impossible
expect_status 0
run validate impossible.srt
expect_status 3
expect_err "^seriatim: impossible.srt: $refusal$"

# expect_refused: the command says why, and "no violation" nowhere.
expect_refused() {
    expect_status 3
    expect_err "^seriatim: seriatim.out/run-1.srt: $refusal$"
    ! grep -q 'no violation' out || fail "nothing was looked at"
    grep -q '"verdict": "undecided"' seriatim.out/result.json || fail "the result should be undecided"
    grep -Eq "\"refused\": \"seriatim.out/run-1.srt: $refusal\"" seriatim.out/result.json ||
        fail "the result should say why"
}
for command in run 'run -n 3' 'explore -n 3' 'run --fail-on none' 'run --program-status'; do
    # shellcheck disable=SC2086 # a command and its options
    run $command -- "$producer" impossible
    expect_refused
    expect_out "^the trace was refused: seriatim.out/run-1.srt: $refusal$"
    expect_out '^undecided: what was recorded could not be analysed$'
done
run run -q -- "$producer" impossible
expect_refused
expect_out '^undecided: '
run run --json - -- "$producer" impossible
expect_refused
expect_out '"verdict": "undecided"'
run run --ci -- "$producer" impossible
expect_refused
expect_out '^undecided: '

run report seriatim.out
expect_status 4
expect_out "^the trace was refused: seriatim.out/run-1.srt: $refusal$"
run report seriatim.out -o reports
expect_status 4
python3 "$here/formats.py" junit reports/junit.xml || fail "junit.xml is wrong"
grep -Eq "<error type=\"refused\" message=\".*$refusal\"/>" reports/junit.xml || fail "expected an error"
grep -Eq "the trace was refused: .*$refusal" reports/index.html || fail "the page should say so"
run merge -o merged seriatim.out
expect_status 4

# What was found before is reported nevertheless.
cat > program << END
#!/bin/sh
[ -e ran ] && exec '$producer' impossible
touch ran
exec '$producer' violated
END
chmod +x program
run run -n 3 --no-replay -- ./program
expect_status 3
expect_out '^1\. "transfer" \(bank.c:10\) is not atomic'
expect_out "^the trace was refused: seriatim.out/run-2.srt: $refusal$"
expect_out '^violation: 1 place is not atomic$'
run report seriatim.out -f junit
cp out junit.xml
python3 "$here/formats.py" junit junit.xml || fail "junit.xml is wrong"
expect_out 'tests="2" failures="1" errors="1" skipped="0"'
finish
