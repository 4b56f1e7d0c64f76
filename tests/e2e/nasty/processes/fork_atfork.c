/* A lock that another thread uses all the time is handed over a fork by atfork handlers.
   unseen: results that the C library writes */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right, stop, prepared;

static void prepare(void)
{
    pthread_mutex_lock(&lock), prepared++;
}
static void release(void)
{
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&lock);
        left++, right++;
        pthread_mutex_unlock(&lock);
        usleep(100);
    }
    return unused;
}

int main(void)
{
    pthread_t worker;
    int good = 0;
    pthread_atfork(prepare, release, release);
    pthread_create(&worker, NULL, work, NULL);
    for (int i = 0; i < 10; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            pthread_mutex_lock(&lock);
            _exit(left == right ? 7 : 8);
        }
        waitpid(child, &status, 0);
        good += WEXITSTATUS(status) == 7;
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    pthread_join(worker, NULL);
    printf("%d good, %d prepared, %d\n", good, prepared, left - right);
}
