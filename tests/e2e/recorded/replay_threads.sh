#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that are created in another order than in the recorded run: two threads create one each, and a
# schedule has the one of the first before the initial thread has created the second. Then the threads of the
# program have other numbers than in the trace, and so has what they asked the system.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > nested.c << 'END_OF_PROGRAM'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static int x = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *amount)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    pthread_mutex_lock(&lock);
    x += *(int *)amount;
    pthread_mutex_unlock(&lock);
    return now.tv_sec > 0 ? amount : NULL;
}
static int get(void)
{
    pthread_mutex_lock(&lock);
    int now = x;
    pthread_mutex_unlock(&lock);
    return now;
}
void block(int *amount)
{
    pthread_t helper;
    int before = get();
    pthread_create(&helper, NULL, add, amount);
    pthread_join(helper, NULL);
    printf("%d\n", get() - before);
}
static void *work(void *amount)
{
    block(amount);
    return NULL;
}
int main(void)
{
    static int amounts[2] = {1, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END_OF_PROGRAM
"$SERIATIM" cc -O1 -pthread nested.c -o nested || fail "nested should build"
echo block > atomic
run record --quiet --quantum 1000000 -o nested.srt -- ./nested
expect_status 0
run predict --quiet --atomic ./atomic --schedules found nested.srt
expect_status 1
for schedule in found/*; do
    for _ in 1 2 3 4 5; do
        run replay --quiet --strict --attempts 1 --atomic ./atomic --schedule "$schedule" nested.srt -- ./nested
        expect_status 1
        expect_out '^shown: '
    done
done
finish
