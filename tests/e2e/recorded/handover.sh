#!/bin/sh
# SPDX-License-Identifier: MIT
# Locks that are released by a thread that does not hold them: a valid trace, nothing false is
# predicted from it, and what is wrong elsewhere is still found.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# Two threads alternate. KIND chooses by what; WAY what else happens to the locks.
cat > turns.h <<'END'
#include <seriatim/annotate.h>
static int x, y, left = 50, right = 50;
static volatile int tries;
static void *other(void *);
static int get(int *from)
{
    LOCK(&data);
    int seen = *from;
    UNLOCK(&data);
    return seen;
}
static void sum(void)
{
    SERIATIM_ATOMIC_BEGIN("sum");
    int all = get(&left);
    all += get(&right);
    SERIATIM_ATOMIC_END();
    y += all;
}
static void move(void)
{
    LOCK(&data);
    left -= 10;
    right += 10;
    UNLOCK(&data);
}
/* x belongs to the thread that has the turn: no lock, and no other interleaving. */
static void turn(int by)
{
    SERIATIM_ATOMIC_BEGIN("turn");
    x += by;
    x += by;
    SERIATIM_ATOMIC_END();
}
static void play(void)
{
    for (int i = 0; i < 3; i++) {
        LOCK(&ping);
        turn(10);
        UNLOCK(&pong);
    }
}
static void answer(void)
{
    for (int i = 0; i < 3; i++) {
        LOCK(&pong);
        turn(1);
        UNLOCK(&ping);
    }
}
END
cat > mutexes.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#define LOCK   pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
static pthread_mutex_t ping = PTHREAD_MUTEX_INITIALIZER, pong = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t data = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
#include "turns.h"
static void *other(void *unused)
{
    answer();
    if (EXTRA)
        move();
    LOCK(&ping);
    ready = 1;
    pthread_cond_signal(&condition);
    UNLOCK(&ping);
    return unused;
}
int main(void)
{
    pthread_t thread;
    struct timespec soon;
    LOCK(&pong);
    pthread_create(&thread, NULL, other, NULL);
    play();
    if (EXTRA)
        sum();
    LOCK(&ping);
    tries = pthread_mutex_trylock(&ping) == EBUSY;
    clock_gettime(CLOCK_REALTIME, &soon);
    tries += pthread_mutex_timedlock(&ping, &soon) == ETIMEDOUT;
    while (!ready)
        pthread_cond_wait(&condition, &ping);
    UNLOCK(&ping);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&pong);
    pthread_mutex_init(&pong, NULL); /* held by nobody now, whatever it was */
    LOCK(&pong);
    UNLOCK(&pong);
    UNLOCK(&pong);
    LOCK(&data); /* held at the end */
    printf("%d %d %d\n", x, tries, y >= 0);
    return 0;
}
END
cat > spins.c <<'END'
#include <pthread.h>
#include <stdio.h>
static pthread_spinlock_t ping, pong, data;
#define LOCK   pthread_spin_lock
#define UNLOCK pthread_spin_unlock
#include "turns.h"
static void *other(void *unused)
{
    answer();
    move();
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_spin_init(&ping, 0);
    pthread_spin_init(&pong, 0);
    pthread_spin_init(&data, 0);
    LOCK(&pong);
    pthread_create(&thread, NULL, other, NULL);
    play();
    sum();
    pthread_join(thread, NULL);
    printf("%d\n", x);
    return 0;
}
END
cat > c11.c <<'END'
#include <stdio.h>
#include <threads.h>
static mtx_t ping, pong, data;
#define LOCK   mtx_lock
#define UNLOCK mtx_unlock
#include "turns.h"
static int run(void *unused)
{
    (void)unused;
    answer();
    move();
    return 0;
}
int main(void)
{
    thrd_t thread;
    mtx_init(&ping, mtx_plain);
    mtx_init(&pong, mtx_plain);
    mtx_init(&data, mtx_plain);
    LOCK(&pong);
    thrd_create(&thread, run, 0);
    play();
    sum();
    thrd_join(thread, 0);
    printf("%d\n", x);
    return 0;
}
END
cat > standard.cpp <<'END'
#include <cstdio>
#include <mutex>
#include <thread>
static std::mutex ping, pong, data;
static void take(std::mutex *lock) { lock->lock(); }
static void give(std::mutex *lock) { lock->unlock(); }
#define LOCK   take
#define UNLOCK give
#include "turns.h"
int main()
{
    LOCK(&pong);
    std::thread thread([] {
        answer();
        move();
    });
    play();
    sum();
    thread.join();
    std::printf("%d\n", x);
}
END
# A lock for reading that another thread gives up. (glibc counts readers, not who they are.)
cat > readers.c <<'END'
#include <pthread.h>
#include <stdio.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *finish(void *unused)
{
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}
static void *change(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_rwlock_rdlock(&lock);
    pthread_create(&threads[0], NULL, finish, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d\n", x);
    return 0;
}
END
"$SERIATIM" cc -g -O1 -pthread -DEXTRA=1 mutexes.c -o mutexes || fail "mutexes should build"
"$SERIATIM" cc -g -O1 -pthread -DEXTRA=0 mutexes.c -o right || fail "right should build"
for name in spins c11 readers; do
    "$SERIATIM" cc -g -O1 -pthread $name.c -o $name || fail "$name should build"
done
"$SERIATIM" c++ -g -O1 -pthread standard.cpp -o standard || fail "standard should build"

for name in mutexes right spins c11 readers standard; do
    ./$name > plain || fail "$name should run plainly"
    for options in '--mode serial' '--mode parallel' '--quantum 1 --scheduler random --seed 3' \
        '--quantum 2' '--scheduler pct --seed 2'; do
        # shellcheck disable=SC2086
        run record $options -o t.srt -- ./$name
        expect_status 0
        expect_same plain out
        run validate t.srt
        expect_status 0
        run info t.srt
        expect_out 'note: locks that a thread released without holding them: [12];'
        for engine in states dpor; do
            run predict --engine $engine t.srt
            [ "$status" -le 1 ] || fail "expected a verdict"
            ! grep -q 'violation.*turn' out || fail "x is accessed in turns: nothing can be violated"
        done
        "$SERIATIM" convert t.srt -o t.std > out 2> err || fail "the trace should convert"
        run validate t.std
        expect_status 0
    done
done

# Turns alone: nothing is wrong.
run run --effort quick -o found-right -- ./right
expect_status 0
expect_out 'no violation'

# The sum is not atomic, whatever the turns are; and only the sum.
for name in mutexes spins c11 standard; do
    run run --effort quick -o found-$name -- ./$name
    expect_status 1
    expect_out '^1\. "sum"'
    expect_out 'Confirmed'
    ! grep -Eq '"turn"' out || fail "turns are atomic"
    run replay found-$name/run-1.srt --schedule found-$name/violation-1.schedule -o again.srt -- ./$name
    expect_status 1
done
finish
