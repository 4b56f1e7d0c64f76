#!/bin/sh
# SPDX-License-Identifier: MIT
# Names that would clear the screen, turn the text around or forge a line, from wherever they
# come: nothing of that reaches the terminal, and files keep them as they are.
. "$(dirname "$0")/../lib.sh"

# Clear the screen; the same in Latin-1, as UTF-8 and raw; right-to-left override, isolate, line
# separator, no width; delete; no UTF-8; a line of its own; ends of scripts, texts and sections.
evil=$(printf '\033[2J\302\233 2J\233\342\200\256\342\201\246\342\200\250\342\200\213\177\377\nFORGED: no violation')
escaped=%1B%5B2J%C2%9B2J%9B%E2%80%AE%E2%81%A6%E2%80%A8%E2%80%8B%7F%FF%0AFORGED%3C%2Fscript%3E%3Cimg%20src=x%20onerror=y%3E%22%27%26%5D%5D%3E

# expect_shown: neither stream holds them, but one of them holds the name, escaped.
expect_shown() {
    expect_harmless out err
    grep -aq '\\x1b\[2J' out err || fail "the name should be shown, escaped"
}

# --- traces of text, native, RoadRunner ------------------------------------------------------
{
    echo "T1|begin|f.c:1|thread=t$escaped|operand=label$escaped|location=begin$escaped"
    echo "T1|r(x)|f.c:2|thread=t$escaped|operand=x$escaped|location=read$escaped|function=f$escaped"
    echo "T2|w(x)|f.c:3|operand=x$escaped|location=other$escaped|function=g$escaped"
    echo "T1|w(x)|f.c:4|thread=t$escaped|operand=x$escaped|location=write$escaped|function=f$escaped"
    echo "T1|end|f.c:5|thread=t$escaped"
    echo "# note: first$escaped"
} > names.std
run convert names.std -o names.srt
expect_status 0
for trace in names.std names.srt; do
    for command in check 'check --all' predict 'predict --verbose' 'predict --schedules s'; do
        # shellcheck disable=SC2086 # a command and its options
        run $command $trace
        expect_status 1
        expect_shown
        # shellcheck disable=SC2086
        run $command --json - $trace
        expect_status 1
        expect_harmless out err
        expect_out '\\u202e'
    done
    run report $trace
    expect_status 1
    expect_shown
    run report $trace -o reports
    expect_status 1
    for pair in sarif:report.sarif junit:junit.xml chrome:trace.json dot:graph.dot html:index.html; do
        expect_harmless "reports/${pair#*:}"
        python3 "$here/formats.py" "${pair%%:*}" "reports/${pair#*:}" || fail "reports/${pair#*:} is wrong"
    done
    expect_harmless reports/report.txt
    run info $trace
    expect_status 0
    expect_shown
    expect_out '^note: first\\x1b\[2J'
    run info --json - $trace
    expect_harmless out err
    run validate $trace
    expect_status 0
done

# Files keep the names, in a form that is harmless to look at.
run convert names.srt -o again.std
expect_harmless again.std
run convert again.std -o again.srt
expect_same names.srt again.srt
for schedule in s/*; do
    expect_harmless "$schedule"
done

# Refused lines are quoted.
printf 'T1|%s(x)|1\n' "$evil" > refused.std
run validate refused.std
expect_status 3
expect_harmless out err
printf 'T1|rel(m)|1|operand=m%s\n' "$escaped" > rule.std
run validate rule.std
expect_status 3
expect_shown
run check --lenient rule.std
expect_shown
printf '[main: RoadRunner 0.5]\n@  Enter(0,%s)\n@  Wr(0,@%s,A.x)\n' "$evil" "$evil" > refused.log
run check refused.log
expect_harmless out err

# --- names in the command line ---------------------------------------------------------------
cp names.std "$evil.std"
for command in check info validate predict; do
    run $command "$evil.std"
    expect_shown
    run $command "$evil.missing"
    expect_status 3
    expect_shown
    run $command "--$evil" names.std
    expect_status 2
    expect_harmless out err
    run $command names.std "$evil"
    expect_status 2
    expect_harmless out err
done
run "$evil"
expect_status 2
expect_shown
run predict --atomic "$evil.spec" names.std
expect_status 3
expect_shown
run check --atomic "$evil" names.std
expect_harmless out err
printf '%s\n' "$evil" > evil.spec
run check --atomic evil.spec names.std
expect_harmless out err
run convert names.std -o "$evil/out.srt"
expect_status 3
expect_shown
run predict --thread "$evil" names.std
expect_harmless out err
printf 'seriatim-schedule 1\n%s\n' "$evil" > bad.schedule
run replay names.std --schedule bad.schedule -- ./nothing
expect_status 3
expect_harmless out err
for command in record run explore; do
    run $command -- "./$evil"
    expect_shown
    run $command --runtime "$evil" -- ./nothing
    expect_status 2
    expect_harmless out err
done

# --- programs ---------------------------------------------------------------------------------
[ -f "$BUILD/seriatim-instrument.so" ] || finish
cat > evil.c << 'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    pthread_mutex_lock(&lock);
    int seen = count; /* @EVIL@ */
    pthread_mutex_unlock(&lock);
    return seen;
}
static void set(int value)
{
    pthread_mutex_lock(&lock);
    count = value; /*	@EVIL@ */
    pthread_mutex_unlock(&lock);
}
static void *work(void *unused)
{
    SERIATIM_ATOMIC_BEGIN("la\033[2J\xc2\x9b" "bel\nFORGED");
    set(get() + 1);
    SERIATIM_ATOMIC_END();
    return unused;
}
static void *reset(void *unused)
{
    set(2);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, reset, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d \033[2J\xe2\x80\xae\n", count);
    return 0;
}
END
line=$(printf '%s' "$evil" | tr -d '\n')
LC_ALL=C sed -i "s|@EVIL@|$line|" evil.c
"$SERIATIM" cc -O1 -pthread evil.c -o "$evil" || fail "the program should build"

for command in run 'explore -n 3'; do
    # shellcheck disable=SC2086
    run $command -- "./$evil" 'a b' "$evil"
    expect_status 1
    grep -av '^[123] ' out > report # what the program itself prints is its own affair
    expect_harmless report err
    expect_out '"la\\x1b\[2J\\xc2\\x9bbel\\x0aFORGED"'
    expect_out 'int seen = count; /\* \\x1b\[2J'
    expect_out 'it prints "[13] \\x1b\[2J\\xe2\\x80\\xae" instead of "2 '
    expect_harmless seriatim.out/result.json seriatim.out/*.schedule
    # The line that says how to replay is one that a shell takes.
    sed -n 's/^to replay: seriatim/"$SERIATIM"/p' out > again
    shown=$(cat again)
    status=0
    SERIATIM=$SERIATIM bash ./again > out 2> err || status=$?
    expect_status 1
    expect_out '^shown: '
    grep -av '^[123] ' out > report
    expect_harmless report err
done
run check --atomic markers seriatim.out/run-1.srt
expect_harmless out err
run info seriatim.out/run-1.srt
expect_harmless out err
finish
