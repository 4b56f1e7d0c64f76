/* Exit handlers and destructors of the program start threads, lock and allocate. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void use_threads(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", count);
    fflush(stdout);
}

static void handler(void)
{
    use_threads();
    atexit(use_threads);
}

__attribute__((constructor)) static void before_main(void)
{
    use_threads();
}
__attribute__((destructor)) static void after_main(void)
{
    use_threads();
    _exit(31);
}

int main(void)
{
    atexit(handler);
    use_threads();
}
