/* The program has functions of its own that are named like those of libraries that it does not use.
 */
#include <pthread.h>
#include <stdio.h>
static int calls;

int poll(int one, int two)
{
    return ++calls, one * two;
}
int accept(void)
{
    return ++calls;
}
int usleep(const char *text)
{
    return ++calls, text[0];
}
int sem_wait(int *counter)
{
    return ++calls, ++*counter;
}
long random(void)
{
    return ++calls;
}
int select(int number)
{
    return ++calls, number + 1;
}

static void *work(void *unused)
{
    int counter = 0;
    for (int i = 0; i < 10; i++)
        poll(i, i), accept(), usleep("x"), sem_wait(&counter), random(), select(i);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d calls, %d\n", calls, poll(6, 7));
}
