/* Locks made of atomics alone: ticket, Peterson, sequence lock, without a yield anywhere. */
#include <pthread.h>
#include <stdio.h>
static unsigned next, serving, sequence;
static int flags[2], turn, ticketed, both, left, right, torn;

static void lock_pair(int me)
{
    __atomic_store_n(&flags[me], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&turn, 1 - me, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&flags[1 - me], __ATOMIC_SEQ_CST) &&
           __atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 1 - me) {
    }
}

static void *work(void *argument)
{
    int me = (int)(long)argument;
    for (int i = 0; i < 30; i++) {
        unsigned mine = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&serving, __ATOMIC_ACQUIRE) != mine) {
        }
        ticketed++;
        __atomic_store_n(&serving, mine + 1, __ATOMIC_RELEASE);
        lock_pair(me);
        both++;
        __atomic_fetch_add(&sequence, 1, __ATOMIC_SEQ_CST), left++, right++,
            __atomic_fetch_add(&sequence, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&flags[me], 0, __ATOMIC_SEQ_CST);
        for (unsigned before = 1, after = 0; before % 2 || before != after;) {
            before = __atomic_load_n(&sequence, __ATOMIC_SEQ_CST);
            int difference = __atomic_load_n(&left, __ATOMIC_SEQ_CST) -
                             __atomic_load_n(&right, __ATOMIC_SEQ_CST);
            after = __atomic_load_n(&sequence, __ATOMIC_SEQ_CST);
            torn += before % 2 == 0 && before == after && difference;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d\n", ticketed, both, left, torn);
}
