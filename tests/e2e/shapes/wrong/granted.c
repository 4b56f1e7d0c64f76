/* SPDX-License-Identifier: MIT */
/* Whether there is room decides in the next critical section which of two counters goes up.
 * finds: request */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int quota = 3, granted, refused, served;

static int request(void)
{
    pthread_mutex_lock(&lock);
    int may = granted < quota;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
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
    pthread_mutex_lock(&lock);
    served++;
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
    printf("%d granted, %d refused, %d served\n", granted, refused, served);
    return 0;
}
