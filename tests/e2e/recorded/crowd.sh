#!/bin/sh
# SPDX-License-Identifier: MIT
# Hundreds of threads at once in parallel mode: all are recorded, every read has its writer, also
# while accesses are elided. If there are more than can be recorded, the trace ends before the
# first of these does anything, and says so.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > crowd.c << 'END'
#include <pthread.h>
#include <stdlib.h>
enum { MOST = 1000, WORDS = 32, ROUNDS = 5 };
static pthread_barrier_t all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long words[WORDS], *mail[WORDS], good;

static void *work(void *argument)
{
    long me = (long)argument;
    __atomic_fetch_add(&words[me % WORDS], 1, __ATOMIC_RELAXED);
    pthread_barrier_wait(&all);
    for (long at = me % WORDS, i = 0; i < ROUNDS; i++, at = (at + 5) % WORDS) {
        __atomic_fetch_add(&words[at], 1, __ATOMIC_RELAXED);
        long *block = malloc(2 * sizeof *block);
        block[0] = block[1] = me;
        pthread_mutex_lock(&lock);
        long *got = mail[at];
        mail[at] = block;
        good += got ? got[0] == got[1] : 1;
        pthread_mutex_unlock(&lock);
        free(got);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t threads[MOST];
    int count = argc > 1 ? atoi(argv[1]) : 2;
    pthread_barrier_init(&all, NULL, (unsigned)count);
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return good != (long)count * ROUNDS;
}
END
run cc -g -O1 -pthread crowd.c -o crowd
expect_status 0

# record THREADS OPTIONS...: what is in the trace is exact.
record() {
    threads=$1
    shift
    run record --mode parallel --verify "$@" -o crowd.srt -- ./crowd "$threads"
    expect_status 0
    ! grep -Eq 'nobody|could not be recorded' err || fail "expected an exact trace"
    cp err told
    run validate crowd.srt
    expect_status 0
}

for exact in 0 all; do
    for threads in 400 620; do
        record $threads --exact $exact
        expect_out " $((threads + 1)) threads"
        ! grep -q stopped told || fail "expected the whole run"
    done
    for most in 1 60 300; do
        record 400 --exact $exact --runtime threads=$most
        grep -q "stopped before ./crowd ended: more than $most threads at once" told ||
            fail "expected that recording stopped"
        run info crowd.srt
        expect_out "note: recording stopped before the program ended: more than $most threads"
    done
done

# Rings take only a part of the address space, where that is limited (not for sanitizers).
if [ "${INSTRUMENTED:-OFF}" = OFF ]; then
    (
        ulimit -v 2000000
        record 8
        finish
    ) || fail "expected a trace in 2 GB of address space"
fi
run record --mode parallel -o crowd.srt --runtime threads=5000 -- ./crowd
expect_status 2
finish
