/* unseen: handlers of threads that wait are not recorded
 *
 * A signal was handled before its thread sees that the sender has gone on. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
static volatile sig_atomic_t got;
static pthread_t target;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t sent;
static atomic_int flag;
static int done, way;

static void handle(int number)
{
    got += number == SIGUSR1;
}

static void *send(void *unused)
{
    for (int i = 0; i < way % 3; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_kill(target, SIGUSR1);
    pthread_mutex_lock(&lock);
    done = 1;
    if (way % 5 == 1)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    if (way % 5 == 2)
        sem_post(&sent);
    atomic_store(&flag, 1);
    return unused;
}

static void poll_done(void)
{
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = done;
        pthread_mutex_unlock(&lock);
    }
}

static void await(pthread_t sender)
{
    if (way % 5 == 0)
        poll_done();
    else if (way % 5 == 2)
        while (sem_wait(&sent) != 0)
            continue;
    else if (way % 5 == 3)
        while (!atomic_load(&flag))
            continue;
    else if (way % 5 == 4)
        pthread_join(sender, 0);
    pthread_mutex_lock(&lock);
    while (way % 5 == 1 && !done)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    int late[3] = {0, 0, 0};
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    target = pthread_self();
    sem_init(&sent, 0, 0);
    for (way = 0; way < 90; way++) {
        pthread_t sender;
        signal(SIGUSR1, handle);
        flag = got = done = 0;
        pthread_create(&sender, 0, send, 0);
        await(sender);
        if (way % 3 == 1)
            pthread_sigmask(SIG_BLOCK, &set, &before);
        else if (way % 3 == 2)
            signal(SIGUSR1, SIG_IGN);
        late[way % 3] += got != 1;
        if (way % 3 == 1)
            pthread_sigmask(SIG_SETMASK, &before, 0);
        if (way % 5 != 4)
            pthread_join(sender, 0);
    }
    printf("late: %d %d %d\n", late[0], late[1], late[2]);
    return 0;
}
