/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 50, right = 50, wrong;
static int get(int *from)
{
    pthread_mutex_lock(&lock);
    int seen = *from;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void *sum(void *unused)
{
    for (int i = 0; i < 20; i++) {
        int *all = malloc(i % 5 * 1000 + sizeof *all);
        SERIATIM_ATOMIC_BEGIN("sum");
        *all = get(&left);
        *all += get(&right);
        SERIATIM_ATOMIC_END();
        wrong += *all < 0;
        free(realloc(all, 3000));
    }
    return unused;
}
static void *move(void *unused)
{
    char *text = strdup("moved");
    pthread_mutex_lock(&lock);
    left -= 10;
    right += 10;
    pthread_mutex_unlock(&lock);
    free(text);
    return unused;
}
static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}
int main(void)
{
    pthread_t threads[3], other;
    void *aligned;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i == 1 ? move : sum, NULL);
    pthread_create(&other, NULL, move, NULL);
    pthread_detach(other);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pthread_create(&other, NULL, sleep_for_ever, NULL);
    pthread_cancel(other);
    pthread_join(other, &aligned);
    printf("%d %d\n", aligned == PTHREAD_CANCELED, wrong);
    if (posix_memalign(&aligned, 256, 1000) == 0)
        free(aligned);
    return 0;
}
