/* A timer's handler jumps out of waits of all kinds. The other threads block its signal: they must
   not jump to a frame of main.
   unseen: handlers that come while the thread sleeps in the runtime */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
enum { KINDS = 10, ROUNDS = 6 };
static sigjmp_buf back;
static volatile int armed, jumps, at, shared, ends_now;
static sem_t never, end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static struct { /* a jump leaves these as they are in the wait: used once */
    pthread_mutex_t lock;
    pthread_cond_t condition;
    pthread_barrier_t barrier;
} once[KINDS * ROUNDS];
static int ends[2];
static pthread_t holder;

static void jump(int signal)
{
    if (armed)
        siglongjmp(back, signal);
}

static void *hold(void *unused)
{
    pthread_mutex_lock(&lock), pthread_rwlock_wrlock(&both), sem_post(&never), sem_wait(&end);
    pthread_rwlock_unlock(&both), pthread_mutex_unlock(&lock);
    return unused;
}

/* So that the token goes to and fro. */
static void *bustle(void *unused)
{
    for (struct timespec moment = {0, 20000}; !ends_now; nanosleep(&moment, NULL))
        pthread_mutex_lock(&other), shared++, pthread_mutex_unlock(&other);
    return unused;
}

static void wait_somehow(int round)
{
    struct pollfd entry = {.fd = ends[0], .events = POLLIN};
    struct timespec far = {4102444800, 0};
    char byte;
    switch (round % KINDS) {
    case 0:
        sem_wait(&never);
        break;
    case 1:
        pthread_mutex_lock(&lock);
        break;
    case 2:
        (void)!read(ends[0], &byte, 1);
        break;
    case 3:
        sleep(1000);
        break;
    case 4:
        poll(&entry, 1, -1);
        break;
    case 5:
        pthread_join(holder, NULL);
        break;
    case 6:
        pthread_rwlock_rdlock(&both);
        break;
    case 7:
        sem_timedwait(&never, &far);
        break;
    case 8:
        pthread_barrier_wait(&once[round].barrier);
        break;
    default:
        pthread_mutex_lock(&once[round].lock);
        pthread_cond_wait(&once[round].condition, &once[round].lock);
    }
    printf("wait %d ended\n", round);
}

int main(void)
{
    struct itimerval tick = {{0, 300}, {0, 300}}, stop = {{0, 0}, {0, 0}};
    pthread_t noise;
    sigset_t ticks;
    sem_init(&never, 0, 0), sem_init(&end, 0, 0);
    for (int i = 0; i < KINDS * ROUNDS; i++)
        pthread_mutex_init(&once[i].lock, NULL), pthread_cond_init(&once[i].condition, NULL),
            pthread_barrier_init(&once[i].barrier, NULL, 2);
    sigemptyset(&ticks), sigaddset(&ticks, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &ticks, NULL);
    if (pipe(ends) != 0 || pthread_create(&holder, NULL, hold, NULL) != 0 ||
        pthread_create(&noise, NULL, bustle, NULL) != 0)
        return 1;
    sem_wait(&never);
    signal(SIGALRM, jump);
    setitimer(ITIMER_REAL, &tick, NULL);
    pthread_sigmask(SIG_UNBLOCK, &ticks, NULL);
    for (at = 0; at < KINDS * ROUNDS; at++)
        if (sigsetjmp(back, 1) == 0) {
            armed = 1;
            wait_somehow(at);
        } else {
            armed = 0, jumps++;
        }
    setitimer(ITIMER_REAL, &stop, NULL);
    ends_now = 1;
    pthread_join(noise, NULL), sem_post(&end), pthread_join(holder, NULL);
    pthread_mutex_lock(&lock), sem_post(&never), sem_wait(&never);
    printf("%d jumps\n", jumps);
}
