/* SPDX-License-Identifier: MIT */
/*
 * The last thing that a worker does with its job is to give back the lock without which nobody
 * frees it.
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
    pthread_cond_signal(&job->done);
    pthread_mutex_unlock(&job->lock);
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
