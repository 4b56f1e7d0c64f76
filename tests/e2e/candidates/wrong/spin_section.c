/* block: add
 * The lock that the program makes itself is given back too early: attempts to take it come between,
 * and hide nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int busy;
static int first, second;

static int add(int by)
{
    while (atomic_exchange(&busy, 1))
        ;
    first += by;
    atomic_store(&busy, 0);
    second += by;
    return first - second;
}

static void *run(void *by)
{
    return add(by ? 1 : 2) ? by : NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, &first);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", first + second);
}
