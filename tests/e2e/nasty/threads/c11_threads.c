/* The threads of C11: mutexes of all kinds, conditions, once, thread-specific storage, results. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
static mtx_t plain, recursive, timed;
static cnd_t changed, never;
static once_flag once = ONCE_FLAG_INIT;
static tss_t storage;
static atomic_int initialised, destroyed;
static int turn, sum, timeouts;

static void initialise(void)
{
    initialised++;
}
static void destroy(void *block)
{
    destroyed++, free(block);
}

static int work(void *argument)
{
    int me = *(int *)argument;
    struct timespec past = {1, 0};
    call_once(&once, initialise);
    tss_set(storage, malloc(4));
    mtx_lock(&plain);
    while (turn != me)
        cnd_wait(&changed, &plain);
    turn++;
    cnd_broadcast(&changed);
    mtx_unlock(&plain);
    mtx_lock(&recursive), mtx_lock(&recursive);
    sum += me;
    mtx_unlock(&recursive), mtx_unlock(&recursive);
    mtx_lock(&timed);
    timeouts += cnd_timedwait(&never, &timed, &past) == thrd_timedout;
    mtx_unlock(&timed);
    if (me == 2)
        thrd_exit(50);
    return me * 10;
}

int main(void)
{
    thrd_t threads[4];
    int numbers[4] = {0, 1, 2, 3}, result;
    mtx_init(&plain, mtx_plain), mtx_init(&recursive, mtx_plain | mtx_recursive),
        mtx_init(&timed, mtx_timed);
    cnd_init(&changed), cnd_init(&never), tss_create(&storage, destroy);
    for (int i = 0; i < 4; i++)
        thrd_create(&threads[i], work, &numbers[i]);
    for (int i = 0; i < 4; i++)
        thrd_join(threads[i], &result), printf("%d ", result);
    printf("%d %d %d %d %d\n", sum, timeouts, turn, initialised, destroyed);
}
