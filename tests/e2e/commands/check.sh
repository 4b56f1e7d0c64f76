#!/bin/sh
# SPDX-License-Identifier: MIT
# check: exit codes, every engine, every way to give it a trace, and its JSON.
# What it says about which trace is the business of the golden tests.
. "$(dirname "$0")/../lib.sh"

printf '%s\n' 'A|begin|a:1' 'A|r(x)|a:2' 'B|w(x)|b:1' 'A|w(x)|a:3' 'A|end|a:4' > bad.std
printf '%s\n' 'A|begin|a:1' 'A|r(x)|a:2' 'A|w(x)|a:3' 'A|end|a:4' 'B|w(x)|b:1' > good.std

for engine in summaries velodrome aerodrome; do
    run check --engine $engine bad.std
    expect_status 1
    tail -n 1 out | grep -qi 'violation\|not serializable' || fail "the last line is no verdict"
    expect_out 'a:2'
    expect_out 'b:1'
    run check --engine $engine good.std
    expect_status 0
    tail -n 1 out | grep -qi 'serializable' || fail "the last line is no verdict"
    expect_no_err
done

# The same answer from a pipe, compressed, and in the native format.
run check --json - bad.std
expect_status 1
sed 's/"path": "[^"]*"//' out > wanted
gzip -c bad.std > bad.gz
zstd -qc bad.std > bad.zst
run convert -q bad.std -o bad.srt
for trace in bad.gz bad.zst bad.srt; do
    run check --json - $trace
    expect_status 1
    sed 's/"path": "[^"]*"//' out > said
    expect_same wanted said
done
run_with_input bad.std check --json - -
expect_status 1
expect_out '"path": "-"'
sed 's/"path": "[^"]*"//' out > said
expect_same wanted said
status=0
shown="seriatim check --json - - from a pipe"
cat bad.gz | "$SERIATIM" check --json - - > out 2> err || status=$?
expect_status 1
sed 's/"path": "[^"]*"//' out > said
expect_same wanted said

# JSON beside the text.
run check --json result.json bad.std
expect_status 1
[ -s out ] || fail "no text beside --json FILE"
for part in '"command": "check"' '"engine": "summaries"' '"verdict": "violation"' \
    '"partial": false' '"event": 4' '"by": "variable"' '"name": "x"'; do
    grep -q "$part" result.json || fail "no $part in the JSON"
done
run check --json - good.std
expect_out '"verdict": "serializable"'
expect_out '"violations": \[\]'

# Blocks by locks.
printf '%s\n' 'A|acq(m)|1' 'A|r(x)|2' 'B|w(x)|3' 'A|w(x)|4' 'A|rel(m)|5' > locks.std
run check locks.std
expect_status 0
run check --atomic locks locks.std
expect_status 1

# --all reports each block once.
{ cat bad.std; sed 's/x/y/' bad.std; } > two.std
run check --all --json - two.std
expect_status 1
[ "$(grep -c '"event":' out)" = 2 ] || fail "expected two violations"
run check --json - two.std
[ "$(grep -c '"event":' out)" = 1 ] || fail "expected one violation"
finish
