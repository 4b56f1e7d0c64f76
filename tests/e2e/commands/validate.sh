#!/bin/sh
# SPDX-License-Identifier: MIT
# validate: its verdicts, and what --lenient does.
. "$(dirname "$0")/../lib.sh"

printf 'T1|acq(m)|1\nT1|w(x)|2\nT1|rel(m)|3\nT2|r(x)|4\n' > good.std
run validate good.std
expect_status 0
expect_out '^good.std is well-formed: 4 events, 2 threads, 1 lock, 1 variable$'
expect_no_err
run_with_input good.std validate -
expect_out '^standard input is well-formed: 4 events'
for compress in gzip 'zstd -q'; do
    $compress -c good.std > compressed
    run validate compressed
    expect_status 0
    expect_out '^compressed is well-formed: 4 events'
done
sed 's/$/\r/' good.std > dos.std
run validate dos.std
expect_status 0
{ echo '# a comment'; cat good.std; } > comment.std
run validate comment.std
expect_out ' 4 events'

printf 'T1|begin|1\nT1|acq(m)|2\nT1|w(x)|3\n' > open.std
run validate open.std
expect_status 0

printf 'T1|rel(m)|1\nT1|w(x)|2\nT1|end|3\n' > bad.std
run validate bad.std
expect_status 3
expect_err '^seriatim: bad.std: event 1: T1 .*m'
expect_no_out
run validate --lenient bad.std
expect_status 0
expect_out 'well-formed without the 2 events that were dropped: 3 events'
expect_err 'warning: bad.std: 2 events were dropped; the first: event 1'
run validate --lenient --quiet bad.std
expect_status 0
expect_no_err
finish
