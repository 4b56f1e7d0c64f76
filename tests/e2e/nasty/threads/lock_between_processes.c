/* Mutex, condition, barrier, reader-writer lock and semaphores in memory shared with a child.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static struct shared {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_barrier_t barrier;
    sem_t posted;
    int turn, count;
} * shared;

static void play(int me)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&shared->lock);
        while (shared->turn != me)
            pthread_cond_wait(&shared->changed, &shared->lock);
        shared->turn = 1 - me, shared->count++;
        pthread_cond_broadcast(&shared->changed);
        pthread_mutex_unlock(&shared->lock);
        pthread_barrier_wait(&shared->barrier);
    }
    sem_post(&shared->posted);
}

int main(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_barrierattr_t barrier;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&mutex), pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_condattr_init(&condition),
        pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_init(&barrier),
        pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->lock, &mutex), pthread_cond_init(&shared->changed, &condition);
    pthread_barrier_init(&shared->barrier, &barrier, 2), sem_init(&shared->posted, 1, 0);
    if (fork() == 0)
        play(1), _exit(0);
    play(0);
    sem_wait(&shared->posted), sem_wait(&shared->posted);
    wait(NULL);
    printf("%d\n", shared->count);
}
