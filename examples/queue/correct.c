/* SPDX-License-Identifier: MIT
 *
 * queue, the correct twin: the number of items is compared with the largest while the lock
 * is still held.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>

enum { ITEMS = 4 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    int count, largest;
    int item[ITEMS];
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static void put(int item)
{
    SERIATIM_ATOMIC_BEGIN("put");
    pthread_mutex_lock(&queue.lock);
    queue.item[queue.count++] = item;
    pthread_cond_signal(&queue.more);
    if (queue.count > queue.largest)
        queue.largest = queue.count;
    pthread_mutex_unlock(&queue.lock);
    SERIATIM_ATOMIC_END();
}

static int take(void)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0)
        pthread_cond_wait(&queue.more, &queue.lock);
    int item = queue.item[--queue.count];
    pthread_mutex_unlock(&queue.lock);
    return item;
}

static void *produce(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return NULL;
}

static void *consume(void *sum)
{
    for (int i = 1; i <= ITEMS; i++)
        *(int *)sum += take();
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;
    int sum = 0;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, &sum);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    printf("sum %d; the queue %s\n", sum, queue.largest > 0 ? "was used" : "was never used");
    return 0;
}
