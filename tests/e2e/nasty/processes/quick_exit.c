/* quick_exit with handlers, while other threads hold locks and run. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int spins;

static void *spin(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;)
        spins++;
    return unused;
}

static void one(void)
{
    (void)!write(1, "one\n", 4);
}
static void two(void)
{
    (void)!write(1, "two\n", 4);
}
static void never(void)
{
    (void)!write(1, "never\n", 6);
}

int main(void)
{
    pthread_t thread;
    at_quick_exit(one);
    at_quick_exit(two);
    atexit(never);
    pthread_create(&thread, NULL, spin, NULL);
    while (spins < 1000)
        usleep(100);
    quick_exit(19);
}
