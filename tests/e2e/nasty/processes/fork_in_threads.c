/* Four threads fork at the same time; each child works with threads of its own.
   unseen: results that the C library writes */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared;

static void *add(void *argument)
{
    __atomic_fetch_add(&shared, *(int *)argument, __ATOMIC_SEQ_CST);
    return NULL;
}

static void *parent(void *argument)
{
    int me = *(int *)argument, status = 0;
    pid_t child = fork();
    if (child == 0) {
        pthread_t threads[3];
        shared = 0;
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, add, &me);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        _exit(shared);
    }
    waitpid(child, &status, 0);
    *(int *)argument = WEXITSTATUS(status);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    int numbers[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, parent, &numbers[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
}
