/* The program changes its environment and arguments, as setproctitle does, and walks them.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;

static void *use(void *unused)
{
    char name[16] = "";
    prctl(PR_SET_NAME, "a name of it");
    pthread_getname_np(pthread_self(), name, sizeof name);
    printf("%s\n", name);
    return unused;
}

int main(int argc, char **argv)
{
    static char own[] = "NASTY_OWN=by putenv";
    pthread_t thread;
    int seen = 0;
    setenv("NASTY_SET", "by setenv", 1), putenv(own), unsetenv("NASTY_MARK");
    for (char **one = environ; *one; one++)
        seen += strncmp(*one, "NASTY", 5) == 0;
    printf("%d %s %s\n", seen, getenv("NASTY_SET"), getenv("NASTY_OWN"));
    clearenv();
    memset(argv[0], 'x', strlen(argv[0]));
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    setenv("ONLY", "one", 1);
    fflush(stdout);
    int status = system("/usr/bin/env | grep -c ONLY");
    if (fork() == 0) {
        char *none[] = {NULL}, *arguments[] = {"sh", "-c", "exit 14", NULL};
        execve("/bin/sh", arguments, none);
    }
    wait(&status);
    printf("%d %s %d\n", argc, argv[0], WEXITSTATUS(status));
}
