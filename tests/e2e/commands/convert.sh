#!/bin/sh
# SPDX-License-Identifier: MIT
# convert: nothing is lost on the way, in any direction, from files and pipes.
. "$(dirname "$0")/../lib.sh"

cat > t.std << 'END'
main|fork(worker)|bank.c:10
main|begin(transfer)|bank.c:12
main|acq(account.lock)|bank.c:13
main|r(a.b[0](c))|bank.c:14|value=17
main|w(balance)|bank.c:15|value=18446744073709551615
main|rel(account.lock)|bank.c:16
worker|begin|7
worker|rmw(count)||value=0
worker|end|
main|end(transfer)|
main|racq(rw)|
main|rrel(rw)|
worker|acq(m)|
worker|rel(m)|
worker|wait(ready)|
main|notify(ready)|
main|notifyall(ready)|
worker|post(s)|
main|take(s)|
main|arrive(b)|
worker|arrive(b)|
worker|depart(b)|
main|depart(b)|
worker|call(deposit)|x y
worker|ret(deposit)|x|y
main|join(worker)|bank.c:20
END

# Text, native, text again.
run convert t.std -o t.srt
expect_status 0
expect_err 'wrote t.srt: 26 events'
run convert t.srt -o back.std
expect_status 0
run convert --quiet back.std -o again.srt
expect_status 0
expect_no_err
run convert again.srt -o again.std
expect_same back.std again.std
expect_same t.srt again.srt
for trace in t.std t.srt back.std; do
    run info --json - $trace
    sed '/"path"/d; /"format"/d' out > $trace.info
done
expect_same t.std.info t.srt.info
expect_same t.std.info back.std.info
grep -q '^main|r(a.b\[0\](c))|bank.c:14|value=17$' back.std || fail "a value was lost"
grep -q 'value=18446744073709551615$' back.std || fail "a large value was lost"
grep -q '^main|begin(transfer)|bank.c:12$' back.std || fail "a label was lost"
grep -q '^worker|begin|7$' back.std || fail "a begin without label changed"

# Standard input and output; the target format where the name does not say it.
run_with_input t.std convert -
expect_status 0
expect_same out t.srt
run_with_input t.srt convert - -o -
expect_same out back.std
run_with_input t.std convert --to text -
expect_same out back.std
run convert t.std --to native -o misnamed.std
expect_same misnamed.std t.srt

# Compressed input, recognised by content.
gzip -c t.std > compressed_1
zstd -qc t.srt > compressed_2
run convert compressed_1 -o 1.srt
expect_same 1.srt t.srt
run convert compressed_2 -o 2.std
expect_same 2.std back.std
cat t.std | zstd -q --long=30 > compressed_3 # from a pipe: the window is as large as allowed
run convert compressed_3 -o 3.srt
expect_same 3.srt t.srt

# Blocks of other modes become begin and end events, and replace those there were.
cat > locks.std << 'END'
T1|begin|1
T1|r(x)|2
T1|acq(m)|3
T1|w(x)|4
T1|rel(m)|5
T1|end|6
END
run convert --atomic locks --to text locks.std
expect_status 0
cat > wanted << 'END'
T1|r(x)|2
T1|begin|3
T1|acq(m)|3
T1|w(x)|4
T1|rel(m)|5
T1|end|5
END
expect_same out wanted
run convert --atomic markers --to text locks.std
expect_same out locks.std

# So marked, the trace gets the same verdict: here a wake-up comes back into a span.
cat > wait.std << 'END'
T1|acq(m)|1
T1|acq(n)|2
T1|wait(c)|3
T1|w(x)|8
T1|rel(n)|9
T1|rel(m)|10
END
{
    sed -n '1,3p' wait.std
    printf 'T2|%s|\n' 'acq(k)' 'notify(c)'
    sed -n '4p' wait.std
    printf 'T2|%s|\n' 'r(x)' 'rel(k)'
    sed -n '5,6p' wait.std
} > woken.std
run convert --atomic locks woken.std -o marked.std
expect_status 0
grep -n -B 1 wait marked.std | grep -q 'end' || fail "expected the end of the span before the wait"
for trace in "--atomic locks woken.std" marked.std; do
    # shellcheck disable=SC2086 # an option and a name
    run check $trace
    expect_status 1
    expect_out 'comes before, by notify c'
done

# Dropped events keep the numbers of the others.
printf 'T1|rel(m)|1\nT1|w(x)|2\n' > wrong.std
run convert wrong.std -o right.std
expect_status 3
[ ! -e right.std ] || fail "a file was left after an error"
run convert --lenient wrong.std -o right.std
expect_status 0
expect_err 'warning: wrong.std: 1 event was dropped.*event 1'
sed -n 1p right.std | grep -q 'skip' || fail "no skip event"
sed -n 2p right.std | grep -qx 'T1|w(x)|2' || fail "event 2 changed"

# An existing file is replaced as a whole; a link stays one.
echo old > target.std
ln -s target.std link.std
run convert t.srt -o link.std
expect_status 0
[ -L link.std ] || fail "the link is gone"
expect_same target.std back.std
chmod 640 target.std
run convert t.srt -o link.std
[ "$(stat -c %a target.std)" = 640 ] || fail "the file has other permissions than before"

# Nothing is left behind when memory runs out (sanitizers need more than any limit).
if [ "${INSTRUMENTED:-OFF}" = OFF ]; then
    mkdir memory
    seq 1 400000 | sed 's/.*/T1|w(a variable with a long name, number &)|/' > names.std
    shown="seriatim convert names.std -o memory/names.srt, with little memory"
    status=0
    (ulimit -v 90000 && exec "$SERIATIM" convert names.std -o memory/names.srt) 2> err || status=$?
    expect_status 4
    expect_err 'out of memory'
    [ -z "$(ls memory)" ] || fail "a file was left behind"
fi
finish
