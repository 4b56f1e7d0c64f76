/* Everything above standard error is closed, as daemons do, with threads before and after. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    for (int i = 0; i < 3000; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
        free(malloc(30));
    }
    return unused;
}

static void use_threads(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    use_threads();
    for (int i = 3; i < 1024; i++)
        close(i);
    use_threads();
    close_range(3, ~0U, 0);
    use_threads();
    int first = open("/dev/null", O_RDONLY);
    for (int i = 3; i < 1000; i++)
        dup2(0, i);
    use_threads();
    printf("%d %d\n", count, first);
}
