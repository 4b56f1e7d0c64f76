/* A lock and a wait made of futex system calls, with requeue, bitsets and time-outs.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int word, gate, other, count, woken;

static long futex(int *at, int operation, int value, void *time_or_count, int *second, int bits)
{
    return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, time_or_count, second,
                   bits);
}

static void *work(void *unused)
{
    for (int i = 0; i < 200; i++) {
        for (int free = 0;
             !__atomic_compare_exchange_n(&word, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
             free = 0)
            futex(&word, FUTEX_WAIT, 1, NULL, NULL, 0);
        count++;
        __atomic_store_n(&word, 0, __ATOMIC_SEQ_CST);
        futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    while (__atomic_load_n(&gate, __ATOMIC_SEQ_CST) == 0)
        futex(&gate, FUTEX_WAIT_BITSET, 0, NULL, NULL, -1);
    __atomic_fetch_add(&woken, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    struct timespec short_time = {0, 1000000};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    long result = futex(&other, FUTEX_WAIT, 0, &short_time, NULL, 0);
    printf("%ld %d\n", result, errno == ETIMEDOUT);
    result = futex(&other, FUTEX_WAIT, 1, NULL, NULL, 0);
    printf("%ld %d\n", result, errno == EAGAIN);
    __atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
    futex(&gate, FUTEX_CMP_REQUEUE, 1, (void *)100L, &other, 1);
    futex(&other, FUTEX_WAKE, 100, NULL, NULL, 0),
        futex(&gate, FUTEX_WAKE_BITSET, 100, NULL, NULL, -1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", count, woken);
}
