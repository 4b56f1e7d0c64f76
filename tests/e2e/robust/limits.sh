#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs that do not end: by a deadlock, which is a finding however the threads wait, or for lack of
# an end, which is not. Limits hold. And what runs leave behind: the first run's children stay,
# those of later runs, of replays and of runs that were ended do not meet the next run.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > waits.c <<'END'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word, shared;
static int number; /* of the first thread: the kernel might clear it, and wake who waits */
static sem_t semaphore;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static void handle(int number)
{
    (void)number;
}
static void *wait_for_ever(void *unused)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    for (;;) {
        if (!strcmp(how, "futex"))
            syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
        else if (!strcmp(how, "kernel"))
            syscall(SYS_futex, &number, FUTEX_WAIT, number, 0, 0, 0);
        else if (!strcmp(how, "private"))
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
        else if (!strcmp(how, "sleep"))
            usleep(1000);
        else
            sem_wait(&semaphore);
    }
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    how = argv[1];
    number = getpid();
    if (!strcmp(how, "handler"))
        signal(SIGALRM, handle);
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_for_ever, NULL);
    if (argc > 2)
        pthread_exit(NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
END
"$SERIATIM" cc -g -O1 -pthread waits.c -o waits || fail "the program should build"
for mode in serial parallel; do
    for how in futex kernel private semaphore 'kernel alone' 'semaphore alone'; do
        # shellcheck disable=SC2086 # words
        run run --effort quick --mode $mode --run-limit 60 -- ./waits $how
        expect_status 1
        expect_out '^1\. The program deadlocks: all its threads wait forever'
        expect_out '^     T1 waits at waits.c:[0-9]+ for '
        expect_out '^failure: the program can deadlock$'
        grep -q '"kind": "deadlock", "status": "observed",.* "file": "waits.c"' \
            seriatim.out/result.json || fail "expected the failure in result.json"
    done
    # The signal may still be sent; and a thread that sleeps for a while is not blocked.
    for how in handler sleep; do
        run run --effort quick --mode $mode --run-limit 1.5 -- ./waits $how
        expect_status 4
        expect_out 'exceeded its time limit \(--run-limit\)'
        expect_out '^undecided: '
    done
done
# seen_again HOW WHAT: T1 waits for it, also in the replay that the report names.
seen_again() {
    run run --effort quick -- ./waits "$1"
    expect_out "T1 waits at waits.c:[0-9]+ for $2\$"
    again=$(sed -n 's/^   To see it again: seriatim //p' out)
    # shellcheck disable=SC2086
    run $again
    expect_status 1
    expect_out '^The program deadlocked and was ended'
}
seen_again kernel 'a futex'
seen_again futex 'condition word'

# A lock that prefers writers: a thread that reads and wants to once more waits for the writer that
# waits for it. Others let it.
cat > writers.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t lock = KIND;
static int value, sum;

static void *read_twice(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    sum = value;
    pthread_rwlock_rdlock(&lock);
    sum += value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *change(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t reader, writer;
    pthread_create(&reader, NULL, read_twice, NULL);
    pthread_create(&writer, NULL, change, NULL);
    pthread_join(reader, NULL);
    return pthread_join(writer, NULL);
}
END
for kind in PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP PTHREAD_RWLOCK_INITIALIZER; do
    "$SERIATIM" cc -g -O1 -pthread -DKIND=$kind writers.c -o writers || fail "the program should build"
    run explore -n 20 -- ./writers
    if [ $kind = PTHREAD_RWLOCK_INITIALIZER ]; then
        expect_status 0
    else
        expect_status 1
        expect_out '^     T1 waits at writers.c:[0-9]+ for lock lock$'
        expect_out '^failure: the program can deadlock$'
        # That the writer waits is no event, and the schedule ends before it does.
        again=$(sed -n 's/^   To see it again: seriatim //p' out)
        # shellcheck disable=SC2086
        run $again
        expect_status 1
        expect_out '^The program deadlocked and was ended'
    fi
done

# Limits: of one run, of all runs, of the command.
run record --run-limit 0.5 -- ./waits sleep
expect_status 143
expect_err 'longer than the limit'
run explore -s 1 -- ./waits sleep
expect_status 4
run explore --budget 1 -- ./waits sleep
expect_status 4
expect_out 'the budget was used up: '

# The second run hangs: its limit is a multiple of the first, and -s ends it before that.
cat > second.sh <<'END'
if [ -e ran ]; then exec ./waits sleep; fi
: > ran
exec ./quick
END
cat > quick.c <<'END'
#include <pthread.h>
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    return pthread_join(thread, 0);
}
END
"$SERIATIM" cc -g -O1 -pthread quick.c -o quick || fail "the program should build"
for seconds in 1 4 16; do # a busy machine may need all of it for the first run
    run explore -s $seconds -- sh second.sh
    rm ran
    grep -q 'runs in all' out && break
done
expect_status 0
expect_out '^1 runs in all'
# A hang that -s ends is not passed over once the run took far longer than the first: that is slow
# on a busy machine, so there is more time if need be.
for seconds in 3 9; do
    run explore -s $seconds -- sh second.sh
    rm ran
    [ "$status" = 4 ] && break
done
expect_status 4
expect_out '^  the program exceeded its time limit \(--run-limit, --seconds\) and was ended$'
expect_out '^  after [0-9.]+ seconds; the longest of the others ended after [0-9.]+: this one may hang$'
expect_out '^2 runs in all'
tr -d '\n' < seriatim.out/result.json |
    grep -Eq '"overran": false,[^}]*\}, *\{[^}]*"overran": true' ||
    fail "expected the second run in result.json as the one that overran"
[ -e seriatim.out/run-2.srt ] || fail "expected the trace of the run that may hang"
for quiet in '' -q; do
    for limit in 1 4 16; do # a busy machine may need more for the first run
        # shellcheck disable=SC2086 # none or one
        run run -n 2 --run-limit $limit $quiet -- sh second.sh
        rm ran
        [ ! -e seriatim.out/run-2.srt ] || break
    done
    expect_status 4
    expect_out 'exceeded its time limit'
done

# A run after the first that ends before it records anything is counted, and is no fault of the
# program's build: that was seen to be instrumented.
cat > silent.sh <<'END'
if [ -e ran ]; then exit 0; fi
: > ran
exec ./quick
END
run run -- sh silent.sh
rm ran
expect_status 0
expect_out '^[0-9]+ further runs? ended before anything was recorded$'
expect_out '^no violation: '
run run -n 2 -- sh silent.sh
rm ran
expect_status 4
expect_out '^1 further run ended before anything was recorded$'
rm -rf seriatim.out
: > ran
run run -n 2 -- sh silent.sh
rm ran
expect_status 3
expect_err 'is not instrumented'

# Children. Each run leaves a daemon, with a session of its own, which has a child.
cat > leaves.sh <<'END'
ls daemons > found_$(ls | grep -c '^found_')
setsid sh -c 'echo $$ > daemons/$$; sleep 1000 & echo $! > daemons/$!; : > left; exec sleep 1000' &
while [ ! -e left ]; do :; done
rm left
exec ./quick
END
mkdir daemons
living() {
    for file in daemons/*; do
        if kill -0 "$(cat "$file")" 2> kill_said; then echo "$file"; fi
    done
}
run run -n 3 -- sh leaves.sh
expect_status 0
[ "$(living | wc -l)" = 2 ] || fail "expected the processes of the first run only, not: $(living)"
[ "$(find . -name 'found_*' | wc -l)" = 3 ] || fail "expected three runs"
for file in daemons/*; do kill "$(cat "$file")" 2> kill_said; done
rm -f daemons/* found_*
run record -o left.srt -- sh leaves.sh
expect_status 0
[ "$(living | wc -l)" = 2 ] || fail "record must not end what the program leaves"
for file in daemons/*; do kill "$(cat "$file")" 2> kill_said; done
rm -f daemons/* found_*

# A run that is ended takes its children with it, the first one, too.
cat > held.sh <<'END'
sh -c 'echo $$ > daemons/$$; exec sleep 1000' &
while [ -z "$(ls daemons)" ]; do :; done
./waits futex
END
run run --effort quick -- sh held.sh
expect_status 1
[ -z "$(living)" ] || fail "expected no process, not: $(living)"

# Far from the start, behind much that is elided, an attempt that
# exceeds its limit is not repeated, and no trace is made of what it recorded.
cat > far.c <<'END'
#include <pthread.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    pthread_mutex_lock(&lock);
    int seen = count;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void add(void)
{
    int next = get() + 1;
    pthread_mutex_lock(&lock);
    count = next;
    pthread_mutex_unlock(&lock);
}
static void *work(void *own)
{
    volatile char *bytes = own;
    for (long i = 0; i < 200000000; i++)
        bytes[i % 8]++;
    add();
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    long own[2] = {0};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &own[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
END
"$SERIATIM" cc -O1 -g -pthread far.c -o far || fail "far.c should build"
echo add > far.spec
run record --exact 1000 -o far.srt -- ./far
expect_status 0
run predict --atomic far.spec --json far.json far.srt
expect_status 1
block=$(grep -o '"begin": *[0-9]*' far.json | head -n 1 | grep -o '[0-9]*$')
run replay far.srt --atomic far.spec --block "$block" -o far.replay --run-limit 0.2 -- ./far
expect_status 4
expect_out 'exceeded its time limit \(--run-limit\) and was ended \(1 attempt\)'
[ ! -e far.replay ] || fail "expected no trace of a replay that came to nothing"
finish
