/* posix_spawn, system and popen from several threads.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static char answers[3][100];

static void *spawn(void *unused)
{
    char *arguments[] = {"sh", "-c", "exit 33", NULL};
    int status = 0;
    pid_t child;
    if (posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) == 0)
        waitpid(child, &status, 0);
    snprintf(answers[0], 100, "spawn %d", WEXITSTATUS(status));
    return unused;
}

static void *shell(void *unused)
{
    snprintf(answers[1], 100, "system %d", WEXITSTATUS(system("exit 12")));
    return unused;
}

static void *reader(void *unused)
{
    FILE *stream = popen("echo hello from the pipe", "r");
    if (!fgets(answers[2], 100, stream))
        return NULL;
    pclose(stream);
    return unused;
}

int main(void)
{
    void *(*functions[])(void *) = {spawn, shell, reader};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%s, %s, %s", answers[0], answers[1], answers[2]);
}
