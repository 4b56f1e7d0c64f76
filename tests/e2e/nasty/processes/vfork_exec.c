/* vfork and exec of three threads at once; a failed exec; status by shared memory.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *launch(void *argument)
{
    int status = 0;
    char text[20];
    snprintf(text, sizeof text, "exit %d", *(int *)argument);
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", text, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    *(int *)argument = WEXITSTATUS(status);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int numbers[3] = {21, 22, 23}, status = 0;
    volatile int error = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, launch, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pid_t child = vfork();
    if (child == 0) {
        execl("/nowhere/at/all", "x", (char *)NULL);
        error = errno;
        _exit(42);
    }
    waitpid(child, &status, 0);
    printf("%d %d %d, %d %d\n", numbers[0], numbers[1], numbers[2], WEXITSTATUS(status),
           error == ENOENT);
}
