/* A child becomes a daemon, which answers through a pipe; another one by a double fork. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int ends[2];

static void *answer(void *text)
{
    return (void *)write(ends[1], text, strlen(text));
}

static void listen_and_print(void)
{
    char text[100];
    ssize_t count = read(ends[0], text, sizeof text);
    printf("%.*s\n", (int)count, text);
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        if (daemon(1, 1) != 0)
            _exit(1);
        pthread_create(&thread, NULL, answer, "a daemon");
        pthread_join(thread, NULL);
        _exit(0);
    }
    wait(NULL);
    listen_and_print();
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            answer("a grandchild"), _exit(0);
        _exit(0);
    }
    wait(NULL);
    listen_and_print();
}
