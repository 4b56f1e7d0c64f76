/* The check is made in one section, the sale in another. block: take */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1, sold;

static int is_left(void)
{
    pthread_mutex_lock(&lock);
    int left = stock;
    pthread_mutex_unlock(&lock);
    return left > 0;
}

static void sell(void)
{
    pthread_mutex_lock(&lock);
    stock--;
    sold++;
    pthread_mutex_unlock(&lock);
}

static void take(void)
{
    if (is_left())
        sell();
}

static void *buyer(void *unused)
{
    take();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, buyer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", stock, sold);
    return 0;
}
