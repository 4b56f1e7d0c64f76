/* main ends by pthread_exit; a thread joins it, starts others, and the last one ends the process.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_t first;
static int steps;

static void done(void)
{
    printf("%d steps, exit handler\n", steps);
}

static void *last(void *argument)
{
    pthread_join(*(pthread_t *)argument, NULL);
    free(argument);
    steps++;
    return NULL;
}

static void *second(void *unused)
{
    pthread_t *me = malloc(sizeof *me), thread;
    void *result;
    *me = pthread_self();
    pthread_join(first, &result);
    steps += result == &first;
    pthread_create(&thread, NULL, last, me);
    return unused;
}

int main(void)
{
    pthread_t thread;
    atexit(done);
    first = pthread_self();
    pthread_create(&thread, NULL, second, NULL);
    steps++;
    pthread_exit(&first);
}
