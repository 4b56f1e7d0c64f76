/* No file can be opened, no byte can be written, no process made: threads go on.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
static int count;

static void *work(void *unused)
{
    for (int i = 0; i < 500; i++)
        __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    struct rlimit none = {0, 0};
    pthread_t threads[4];
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_MEMLOCK, &none);
    setrlimit(RLIMIT_SIGPENDING, &none);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    int failed = open("/dev/null", O_RDONLY) == -1 && errno == EMFILE;
    FILE *one = fdopen(1, "w");
    (void)one;
    char text[50];
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &all);
    int length = snprintf(text, sizeof text, "%d %d\n", count, failed);
    return write(1, text, (size_t)length) == length || errno == EFBIG ? count / 100 : 1;
}
