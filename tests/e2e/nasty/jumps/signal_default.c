/* A thread's division by zero ends the process by its signal, with output before it. */
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
static volatile int zero, shared;

static void *divide(void *unused)
{
    shared = 3;
    shared = 100 / zero;
    return unused;
}

int main(void)
{
    struct rlimit no_core = {0, 0};
    pthread_t thread;
    setrlimit(RLIMIT_CORE, &no_core);
    printf("before\n");
    fflush(stdout);
    pthread_create(&thread, NULL, divide, NULL);
    pthread_join(thread, NULL);
    printf("never printed\n");
}
