/* The block has the lock that the program makes itself in it: attempts of others to take it come
 * between. */
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
    second += by;
    int difference = first - second;
    atomic_store(&busy, 0);
    return difference;
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
