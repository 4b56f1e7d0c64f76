/* Children end by exit, with handlers, buffered output, and by abort.
   unseen: results that the C library writes */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static int level;

static void say(void)
{
    printf("handler at level %d\n", level);
}

static void *nothing(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    int status;
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    atexit(say);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    fflush(stdout);
    if (fork() == 0) {
        level = 1;
        printf("child prints\n");
        fflush(stdout);
        if (fork() == 0)
            level = 2, exit(3);
        wait(&status);
        printf("grandchild %d\n", WEXITSTATUS(status));
        exit(4);
    }
    wait(&status);
    printf("child %d\n", WEXITSTATUS(status));
    fflush(stdout);
    if (fork() == 0)
        abort();
    wait(&status);
    printf("signal %d\n", WTERMSIG(status) == SIGABRT);
    return 9;
}
