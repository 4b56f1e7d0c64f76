/* The reader waits until the pair is complete: a wait lets others in, and a replay must not wait
 * with it for ever. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t completed = PTHREAD_COND_INITIALIZER;
static int complete;
static int left, right;

static void fill(void)
{
    left = 1;
    right = 1;
}

static void *writer(void *unused)
{
    fill();
    pthread_mutex_lock(&lock);
    complete = 1;
    pthread_cond_signal(&completed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void await_pair(void)
{
    pthread_mutex_lock(&lock);
    while (!complete)
        pthread_cond_wait(&completed, &lock);
    pthread_mutex_unlock(&lock);
}

static int sum(void)
{
    return left + right;
}

static void *reader(void *result)
{
    await_pair();
    *(int *)result = sum();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int result = 0;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, &result);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", result);
    return 0;
}
