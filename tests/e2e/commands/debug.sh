#!/bin/sh
# SPDX-License-Identifier: MIT
# What developers look at: the log (SERIATIM_LOG), and dumps of spools and rings.
. "$(dirname "$0")/../lib.sh"
producer=$BUILD/tests/record_producer

cat > script << 'END'
text 1 bank.c
text 2 transfer
site 1 1 42 2 0
w 0 0x404010 1 4 1
acq 0 0x404040 0 0 1
rel 0 0x404040 0 0 1
repeat 3
r 1 0x404010 1 4 1
hang
END

# --- a dump of the rings of a recording that stands still -------------------

"$SERIATIM" record -o a.srt -- "$producer" script > record.out 2>&1 < /dev/null &
recorder=$!
ring_has_all() {
    run debug ring $recorder
    grep -q 'head 12,' out
}
wait_for 'the records in the ring' ring_has_all
expect_status 0
expect_out '^channel, version [0-9]+, serial mode, 1 rings$'
expect_out "is recorded by $recorder"
program=$(sed -n 's/^process \([0-9]*\) is recorded.*/\1/p' out)
expect_out ' T0 +w +object 0x404010  value 0x1  size 4  site 1 bank.c:42 transfer$'
run debug --last 1 ring $recorder
expect_out 'value 0x3'
[ "$(grep -c ' T[01] ' out)" = 1 ] || fail "one record was asked for"

# --- a spool that was left behind, whole and damaged ------------------------

spool_has_all() {
    run debug spool a.srt.part
    grep -q '^12 records in' out
}
wait_for 'the records in the spool' spool_has_all
kill -9 $recorder
wait $recorder 2> /dev/null
kill "$program"
run debug spool a.srt.part
expect_status 0
expect_out '^spool, version [0-9]+, '
expect_out '^block 0 at byte [0-9]+: '
block=$(sed -n 's/^block 0 at byte \([0-9]*\):.*/\1/p' out)
expect_out 'text bytes +"bank\.c"$'
expect_out ' T0 +acq +object 0x404040 .*bank.c:42'
expect_out ', 0 faults$'

# damage COPY OFFSET: a copy of the spool with another byte there.
damage() {
    cp a.srt.part "$1"
    printf '\377' | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}
damage payload $((block + 44))
run debug spool payload
expect_status 3
expect_out "^! byte $block: the checksum of the block is wrong"
damage frame $((block + 1))
run debug spool frame
expect_status 3
expect_out "^! byte $block: no block stands here"
damage header 0
run debug spool header
expect_status 3
expect_out '^! byte 0: it does not begin'
expect_out 'text bytes +"bank\.c"$'
size=$(wc -c < a.srt.part)
head -c $((size - 3)) a.srt.part > short
run debug spool short
expect_status 3
expect_out 'the file ends within the block'
expect_out ' T0 +acq '
: > empty
run debug spool empty
expect_status 3
run debug spool missing
expect_status 3
expect_err 'cannot read missing'

# --- wrong usage; not in the list of commands -------------------------------

run debug
expect_status 2
run debug trace a.srt
expect_status 2
run debug ring $$
expect_status 3
expect_err 'has no channel'
run debug ring script
expect_status 3
expect_err 'is not a channel'
run debug --help
expect_status 0
run --help
! grep -q debug out || fail "debug is for developers only"

# --- the log ----------------------------------------------------------------

cat > quick << 'END'
w 0 0x404010 1 4 0
exit 0
END
SERIATIM_LOG=record,spool:debug run record -o b.srt -- "$producer" quick
expect_status 0
expect_err '^\[ +[0-9]+\.[0-9]{6} [0-9]+/[0-9]+ record\] started '
expect_err ' spool\] block of '
run record -o b.srt -- "$producer" quick
expect_status 0
! grep -q '^\[' err || fail "no log was asked for"
SERIATIM_LOG=nothing run record -o b.srt -- "$producer" quick
expect_status 2
expect_err 'SERIATIM_LOG: "nothing" is not .*runtime'
SERIATIM_LOG=all:loud run info b.srt
expect_status 2

# The program does not see it.
SERIATIM_LOG=all:debug SERIATIM_LOG_FILE=$PWD/log run record -o c.srt -- sh -c 'env >&2'
! grep -q SERIATIM_LOG err || fail "the program should find the environment without the log"
grep -q 'record\] started sh ' log || fail "the log should be in its file"
! grep -q '^\[' err || fail "the log should be in its file only"

[ -f "$BUILD/seriatim-instrument.so" ] || finish

cat > wait.c << 'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static void *other(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock); /* so that the other one comes after the wait has begun */
    pthread_create(&thread, 0, other, 0);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return pthread_join(thread, 0);
}
END
run cc -g -o wait wait.c
expect_status 0
for mode in serial parallel; do
    SERIATIM_LOG=runtime,token:debug,wait:debug run record --mode $mode -o d.srt -- ./wait
    expect_status 0
    expect_err '/- runtime\] recording in (serial|parallel) mode'
    expect_err '/T1 runtime\] T1 begins'
    expect_err '/T0 wait\] T0 waits for 0x[0-9a-f]+ at site [0-9]+, without time-out'
    expect_err '/T1 wait\] T0 is woken'
    expect_err '/T0 runtime\] the program ends by exit with status 0'
    [ $mode = parallel ] || expect_err ' token\] T1 has the token, from T0; turn [0-9]+ from position'
done

# It changes nothing in what is recorded.
run record -o e.srt -- ./wait
SERIATIM_LOG=all:debug run record -o f.srt -- ./wait
"$SERIATIM" convert e.srt --to text -o e.std
"$SERIATIM" convert f.srt --to text -o f.std
expect_same e.std f.std
finish
