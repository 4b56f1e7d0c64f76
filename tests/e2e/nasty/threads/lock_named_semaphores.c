/* Named semaphores between threads and a child process; the names are gone at the end.
   unseen: results that the C library writes */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static sem_t *ping, *pong;
static int rounds;

static void *answer(void *unused)
{
    for (int i = 0; i < 30; i++)
        sem_wait(ping), rounds++, sem_post(pong);
    return unused;
}

int main(void)
{
    char names[2][50];
    pthread_t thread;
    int value = -1;
    for (int i = 0; i < 2; i++)
        snprintf(names[i], sizeof names[i], "/nasty-%d-%d", (int)getpid(), i);
    ping = sem_open(names[0], O_CREAT | O_EXCL, 0600, 0);
    pong = sem_open(names[1], O_CREAT | O_EXCL, 0600, 0);
    printf("%d\n", sem_open(names[0], O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED);
    pthread_create(&thread, NULL, answer, NULL);
    for (int i = 0; i < 30; i++)
        sem_post(ping), sem_wait(pong);
    pthread_join(thread, NULL);
    if (fork() == 0)
        sem_wait(ping), sem_post(pong), _exit(0);
    sem_post(ping), sem_wait(pong), sem_getvalue(ping, &value);
    wait(NULL);
    printf("%d rounds, value %d\n", rounds, value);
    sem_close(ping), sem_close(pong);
    sem_unlink(names[0]), sem_unlink(names[1]);
}
