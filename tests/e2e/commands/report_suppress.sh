#!/bin/sh
# SPDX-License-Identifier: MIT
# Suppressions and baselines, of reports and of runs: what is named is suppressed, what is new is
# reported, and a rule that matches nothing is named. With --ci the files are in the folder.
. "$(dirname "$0")/../lib.sh"

# two_bugs LINE FUNCTION: a trace with two violations; the first is in FUNCTION, at lines from LINE on.
two_bugs() {
    echo 'T1|begin(total)|bank.c:'"$1|function=$2"
    echo 'T1|r(balance of struct account (alice+40))|bank.c:'"$(($1 + 1))|function=$2"
    echo 'T1|w(balance of struct account (alice+40))|bank.c:'"$(($1 + 2))|function=$2"
    echo 'T1|end(total)|bank.c:'"$(($1 + 3))|function=$2"
    echo 'T1|begin(audit)|src/audit.c:50|function=audit'
    echo 'T1|r(log)|src/audit.c:51|function=audit'
    echo 'T1|r(log)|src/audit.c:52|function=audit'
    echo 'T1|end(audit)|src/audit.c:53|function=audit'
    echo 'T2|w(balance of struct account (alice+40))|bank.c:'"$(($1 + 30))|function=transfer"
    echo 'T2|w(log)|src/audit.c:60|function=note'
}
two_bugs 10 add_up > two.std

run report two.std --gen-suppressions known.supp
expect_status 1
expect_out '^violation: 2 findings$'
[ "$(grep -c '^id:' known.supp)" = 2 ] || fail "expected two rules"

# Generate, apply: nothing is left. Code elsewhere changes: still nothing. The bug changes: it is back.
run report two.std --suppress known.supp
expect_status 0
expect_no_err
expect_out '^2 findings are suppressed'
expect_out '^none: nothing was found$'
two_bugs 210 add_up > moved.std
run report moved.std --suppress known.supp
expect_status 0
two_bugs 10 add_up_again > changed.std
run report changed.std --suppress known.supp
expect_status 1
expect_out '^1\. total .*is not atomic'
expect_out '^violation: 1 finding$'
expect_err 'known.supp:[0-9]+: matched nothing: id:'

# expect_left RULE FINDINGS: so many are left by it.
expect_left() {
    printf '# a comment\n\n%s\n' "$1" > rule.supp
    run report two.std --suppress rule.supp
    if [ "$2" = 0 ]; then expect_out '^none: '; else expect_out "^violation: $2 finding"; fi
}
expect_left 'atomicity:total' 1
expect_left 'atomicity:add_*' 1
expect_left 'atomicity:audit.c' 1
expect_left 'atomicity:src/*' 1
expect_left 'atomicity:*' 0
expect_left 'variable:log' 1
expect_left 'variable:alice.balance' 1
expect_left 'variable:"balance of struct *"' 1
expect_left 'sequence:add_up,transfer,add_up' 1
expect_left 'sequence:transfer,add_up' 1
expect_left 'sequence:"reads log,writes log,reads log"' 1
expect_left 'sequence:transfer,transfer' 2
expect_err 'rule.supp:3: matched nothing: sequence:transfer,transfer'
expect_left 'atomicity:total variable:log' 2
expect_left 'atomicity:* variable:log sequence:note' 1
expect_left 'deadlock:*' 2
expect_left 'failure:*' 2

for wrong in 'total' 'atomicity:' 'atomicty:total' 'variable:"open' ':x'; do
    printf '\n%s\n' "$wrong" > wrong.supp
    run report two.std --suppress wrong.supp
    expect_status 3
    expect_err 'wrong.supp:2: '
done
run report two.std --suppress nothing.supp
expect_status 3

# --- baselines -------------------------------------------------------------------------------------
run report two.std -o old.sarif
run report two.std --baseline old.sarif
expect_status 0
expect_out '^2 findings are suppressed'
run report changed.std --baseline old.sarif
expect_status 1
expect_out '^violation: 1 finding$'
expect_err '1 finding of the baseline not found any more'
echo '{"a": 1}' > wrong.sarif
run report two.std --baseline wrong.sarif
expect_status 3
expect_err 'not a SARIF report'

# --- places with one cause ------------------------------------------------------------------------
for name in pop push; do
    [ $name = push ] && operation=w || operation=r
    echo "T-$name|call($name)|stack.c:1"
    echo "T-$name|$operation(top)|stack.c:2|function=$name"
    echo "T-$name|$operation(top)|stack.c:3|function=$name"
    echo "T-$name|ret($name)|stack.c:4"
done > stack.std
run report stack.std --atomic functions --gen-suppressions both.supp -o both.sarif
run report stack.std --atomic functions
expect_out '^violation: 1 finding$'
expect_out 'push\(\) \(stack.c:1\) with pop\(\)'
[ "$(grep -c '^id:' both.supp)" = 2 ] || fail "expected a rule for each place"
run report stack.std --atomic functions --suppress both.supp
expect_status 0
run report stack.std --atomic functions --baseline both.sarif
expect_status 0
for left in push pop; do
    echo "atomicity:$left" > one.supp # the other one is still to be reported
    run report stack.std --atomic functions --suppress one.supp
    expect_status 1
done

# --- runs ----------------------------------------------------------------------------------------------
[ -f "$BUILD/libseriatim-rt.so" ] || finish
cp "$source_folder/examples/bank/wrong.c" bank.c
"$SERIATIM" cc -g -o bank bank.c -pthread || fail "the program was not built"
run run --effort quick --ci --gen-suppressions bank.supp -- ./bank
expect_status 1
expect_out '^bank\.c:44: error: total .*is not atomic \[[0-9a-f]+, confirmed\]$'
expect_out '^violation: 1 finding, 0 suppressed$'
python3 "$here/formats.py" sarif seriatim.out/report.sarif || fail "report.sarif is wrong"
python3 "$here/formats.py" junit seriatim.out/junit.xml || fail "junit.xml is wrong"
[ -s seriatim.out/index.html ] || fail "index.html is missing"
run run --effort quick --baseline seriatim.out/report.sarif -- ./bank
expect_status 0
expect_out '^1 finding is suppressed'
grep -q '"suppressed": 1' seriatim.out/result.json || fail "the count should be in the result"
[ ! -f seriatim.out/report.sarif ] || fail "files of an earlier run should be gone"
run run --effort quick --suppress bank.supp -- ./bank
expect_status 0
run run --effort quick --fail-on none -- ./bank
expect_status 0
expect_out '^violation: '
run run --effort quick --no-replay -- ./bank
expect_status 1
run run --effort quick --suppress wrong.supp -- ./bank
expect_status 3
expect_no_out
finish
