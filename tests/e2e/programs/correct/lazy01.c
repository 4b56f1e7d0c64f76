// SPDX-License-Identifier: MIT
// blocks: locks
// Whether the third thread sees 3 depends on the order of the sections, and each is atomic.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *add(void *n)
{
    pthread_mutex_lock(&m);
    for (int i = *(int *)n; i > 0; i--)
        data++;
    pthread_mutex_unlock(&m);
    return NULL;
}

void *test(void *seen)
{
    pthread_mutex_lock(&m);
    if (data >= 3)
        *(int *)seen = data;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    int one = 1, two = 2, seen = 0;
    pthread_t t[3];
    pthread_create(&t[0], NULL, add, &one);
    pthread_create(&t[1], NULL, add, &two);
    pthread_create(&t[2], NULL, test, &seen);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("data %d, %s\n", data, seen == 0 || seen == 3 ? "seen well" : "seen badly");
}
