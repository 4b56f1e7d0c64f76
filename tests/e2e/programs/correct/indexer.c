// SPDX-License-Identifier: MIT
// blocks: insert
// Threads put messages into a hash table by compare-and-swap.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SIZE = 16, THREADS = 3 };
atomic_int table[SIZE];

void insert(int word)
{
    int at = word * 7 % SIZE, empty = 0;
    while (!atomic_compare_exchange_strong(&table[at], &empty, word)) {
        at = (at + 1) % SIZE;
        empty = 0;
    }
}

void *run(void *id)
{
    insert(*(int *)id * 11 + 1);
    return NULL;
}

int main(void)
{
    int id[THREADS], full = 0;
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        id[i] = i;
        pthread_create(&t[i], NULL, run, &id[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < SIZE; i++)
        full += table[i] != 0;
    printf("%d words\n", full);
}
