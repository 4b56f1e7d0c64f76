/* Another thread cancels main, joins it, and ends the process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_t first;

static void cleaned(void *unused)
{
    (void)unused, puts("main cleans up");
}

static void *end(void *unused)
{
    void *result;
    pthread_cancel(first);
    pthread_join(first, &result);
    printf("main was cancelled: %d\n", result == PTHREAD_CANCELED);
    exit(5);
    return unused;
}

int main(void)
{
    pthread_t thread;
    first = pthread_self();
    pthread_cleanup_push(cleaned, NULL);
    pthread_create(&thread, NULL, end, NULL);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
}
