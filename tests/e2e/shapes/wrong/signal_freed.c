/* SPDX-License-Identifier: MIT */
/*
 * A worker signals that its job is done when the other thread may have freed it already: the
 * condition is in freed memory. finds: The program uses memory that was freed
 */
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t lock;
    pthread_cond_t done;
    int finished;
};

static void *work(void *argument)
{
    struct job *job = argument;
    pthread_mutex_lock(&job->lock);
    job->finished = 1;
    pthread_mutex_unlock(&job->lock);
    pthread_cond_signal(&job->done);
    return 0;
}

int main(void)
{
    pthread_t worker;
    for (int i = 0; i < 5; i++) {
        struct job *job = calloc(1, sizeof *job);
        pthread_mutex_init(&job->lock, 0);
        pthread_cond_init(&job->done, 0);
        pthread_create(&worker, 0, work, job);
        pthread_mutex_lock(&job->lock);
        while (!job->finished)
            pthread_cond_wait(&job->done, &job->lock);
        pthread_mutex_unlock(&job->lock);
        free(job);
        pthread_join(worker, 0);
    }
    return 0;
}
