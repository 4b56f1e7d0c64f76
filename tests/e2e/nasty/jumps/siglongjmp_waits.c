/* A timer's handler jumps out of waits for a semaphore, a mutex, a pipe and time.
   unseen: handlers that come while the thread sleeps in the runtime */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
static sigjmp_buf back;
static volatile int armed, jumps, at;
static sem_t never, end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void jump(int signal)
{
    if (armed)
        siglongjmp(back, signal);
}

static void *hold(void *unused)
{
    pthread_mutex_lock(&lock), sem_post(&never), sem_wait(&end), pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    struct itimerval tick = {{0, 2000}, {0, 2000}}, stop = {{0, 0}, {0, 0}};
    pthread_t thread;
    char byte;
    sem_init(&never, 0, 0), sem_init(&end, 0, 0);
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, hold, NULL);
    sem_wait(&never);
    signal(SIGALRM, jump);
    setitimer(ITIMER_REAL, &tick, NULL);
    for (at = 0; at < 20; at++)
        if (sigsetjmp(back, 1) == 0) {
            armed = 1;
            switch (at % 4) {
            case 0:
                sem_wait(&never);
                break;
            case 1:
                pthread_mutex_lock(&lock);
                break;
            case 2:
                (void)!read(ends[0], &byte, 1);
                break;
            default:
                sleep(1000);
            }
        } else {
            armed = 0, jumps++;
        }
    setitimer(ITIMER_REAL, &stop, NULL);
    sem_post(&end), pthread_join(thread, NULL), pthread_mutex_lock(&lock), sem_post(&never),
        sem_wait(&never);
    printf("%d jumps\n", jumps);
}
