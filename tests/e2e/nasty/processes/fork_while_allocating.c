/* Children allocate although other threads were in the middle of malloc when they were forked. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int stop;

static void *allocate(void *unused)
{
    void *kept[8] = {0};
    for (unsigned i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {
        free(kept[i % 8]);
        memset(kept[i % 8] = malloc(16 + i % 3000), 1, 16);
    }
    for (int i = 0; i < 8; i++)
        free(kept[i]);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    int good = 0, status;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, allocate, NULL);
    for (int i = 0; i < 12; i++) {
        if (fork() == 0) {
            char *text = malloc(10000);
            memset(text, 'x', 10000);
            text = realloc(text, 100000);
            _exit(text[9999] == 'x' ? 5 : 1);
        }
        wait(&status);
        good += WEXITSTATUS(status) == 5;
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", good);
}
