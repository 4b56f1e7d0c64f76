/* Twenty thousand threads, a few at a time; most are joined, some detached. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
enum { ROUNDS = 5000, AT_ONCE = 4 };
static int done;

static void *count(void *unused)
{
    __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            if (pthread_create(&threads[i], NULL, count, NULL) != 0)
                return 1;
        pthread_detach(threads[0]);
        for (int i = 1; i < AT_ONCE; i++)
            pthread_join(threads[i], NULL);
    }
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < ROUNDS * AT_ONCE)
        sched_yield();
    printf("%d\n", done);
}
