#!/bin/sh
# SPDX-License-Identifier: MIT
# info: the numbers of a small trace, as text and as JSON.
. "$(dirname "$0")/../lib.sh"

cat > t.std << 'END'
T1|fork(T2)|1
T1|begin(outer)|2
T1|begin(inner)|3
T1|acq(m)|4
T1|r(x)|5
T1|w(y)|6
T1|rel(m)|7
T1|end(inner)|8
T1|end(outer)|9
T2|begin|10
T2|acq(m)|11
T2|rel(m)|12
T2|wait(c)|13
T1|notify(c)|14
T1|r(x)|15
END
run info t.std
expect_status 0
expect_no_err
expect_out 'format +text'
expect_out 'events +15'
expect_out 'threads +2'
expect_out 'lock events +4'
expect_out 'locks +1'
expect_out 'read/write events +3'
expect_out 'variables +2'
expect_out 'wait/notify events +2'
expect_out 'blocks +2'
expect_out 'nesting depth +2'
expect_out 'open blocks +1'
expect_out '^ +acq +2 +13\.3%'
cp out text

run info --json result.json t.std
expect_status 0
expect_same out text
run info --json - t.std
expect_same out result.json
expect_out '"command": "info"'
expect_out '"path": "t.std"'
for field in 'events": 15' 'threads": 2' 'locks": 1' 'variables": 2' 'blocks": 2'; do
    expect_out "\"$field"
done

# A name that is no UTF-8 gives valid JSON all the same.
printf 'T1|r(x)|1\n' > "$(printf 'bad\377name')"
run info --json - "$(printf 'bad\377name')"
expect_out '"path": "bad\\ufffdname"'

# Blocks by other definitions.
run info --atomic locks t.std
expect_out 'blocks +2'
expect_out 'open blocks +0'
finish
