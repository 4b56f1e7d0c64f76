/* Three producers and three consumers hand numbers over; the sum is known. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
enum { ROOM = 5, EACH = 40 };
static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    long items[ROOM];
    int count, first;
} buffer = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};
static double sums[3];

static void *produce(void *argument)
{
    for (long i = 0; i < EACH; i++) {
        pthread_mutex_lock(&buffer.lock);
        while (buffer.count == ROOM)
            pthread_cond_wait(&buffer.emptied, &buffer.lock);
        buffer.items[(buffer.first + buffer.count++) % ROOM] = i * 10 + (long)argument;
        pthread_cond_signal(&buffer.filled);
        pthread_mutex_unlock(&buffer.lock);
    }
    return NULL;
}

static void *consume(void *argument)
{
    long taken[EACH];
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_lock(&buffer.lock);
        while (buffer.count == 0)
            pthread_cond_wait(&buffer.filled, &buffer.lock);
        memcpy(&taken[i], &buffer.items[buffer.first], sizeof *taken);
        buffer.first = (buffer.first + 1) % ROOM, buffer.count--;
        pthread_cond_signal(&buffer.emptied);
        pthread_mutex_unlock(&buffer.lock);
    }
    for (int i = 0; i < EACH; i++)
        sums[(long)argument] += (double)taken[i];
    return NULL;
}

int main(void)
{
    pthread_t threads[6];
    for (long i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, i % 2 ? consume : produce, (void *)(i / 2));
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    printf("%.0f\n", sums[0] + sums[1] + sums[2]);
}
