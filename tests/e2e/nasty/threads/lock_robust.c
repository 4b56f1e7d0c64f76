/* Owners of robust mutexes die: a thread of this process, and another process. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void *die(void *lock)
{
    pthread_mutex_lock(lock);
    return NULL;
}

int main(void)
{
    pthread_mutex_t *locks =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t robust;
    pthread_t thread;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&locks[i], &robust);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, die, &locks[i]);
        pthread_join(thread, NULL);
    }
    if (fork() == 0)
        die(&locks[2]), _exit(0);
    wait(NULL);
    for (int i = 0; i < 3; i++) {
        printf("%d", pthread_mutex_lock(&locks[i]) == EOWNERDEAD);
        if (i != 1)
            printf(" %d", pthread_mutex_consistent(&locks[i]));
        printf(" %d", pthread_mutex_unlock(&locks[i]));
        printf(" %d\n", pthread_mutex_lock(&locks[i]) == (i == 1 ? ENOTRECOVERABLE : 0));
    }
}
