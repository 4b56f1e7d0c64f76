/* A thread that a constructor creates before main, and a destructor joins after it. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_t early;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state, stop;

static void *wait_for_stop(void *unused)
{
    pthread_mutex_lock(&lock);
    state = 5;
    while (!stop)
        pthread_cond_wait(&changed, &lock);
    state++;
    pthread_mutex_unlock(&lock);
    return unused;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_create(&early, NULL, wait_for_stop, NULL);
}

__attribute__((destructor)) static void end(void)
{
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(early, NULL);
    printf("after main: %d\n", state);
    fflush(stdout);
}

int main(void)
{
    for (int seen = 0; !seen; sched_yield()) {
        pthread_mutex_lock(&lock);
        seen = state;
        pthread_mutex_unlock(&lock);
    }
    puts("main");
    return 3;
}
