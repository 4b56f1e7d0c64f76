/* SPDX-License-Identifier: MIT */
/* Whether there is room decides at once which of two counters goes up; and whether a key is known,
 * in another critical section, which counter of lookups. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int quota = 3, granted, refused, hits, misses, keys;

static void look_up(void)
{
    pthread_mutex_lock(&lock);
    int found = keys > 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (found)
        hits++;
    else
        misses++;
    pthread_mutex_unlock(&lock);
}

static int request(void)
{
    pthread_mutex_lock(&lock);
    int may = granted < quota;
    if (may)
        granted++;
    else
        refused++;
    pthread_mutex_unlock(&lock);
    return may ? 'y' : 'n';
}

static void *client(void *answers)
{
    for (int i = 0; i < 2; i++)
        ((char *)answers)[i] = (char)request();
    look_up();
    pthread_mutex_lock(&lock);
    keys++;
    pthread_mutex_unlock(&lock);
    return answers;
}

int main(void)
{
    pthread_t threads[2];
    char answers[2][2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, client, answers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d granted, %d refused, %d lookups\n", granted, refused, hits + misses);
    return 0;
}
