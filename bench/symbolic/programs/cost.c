/* SPDX-License-Identifier: MIT */
/*
 * Work for bench/symbolic/cost: -DKIND=1, a bank whose threads move money in two critical sections;
 * 2, a bounded queue; 3, sums over an array; 4, a hash table with chains. ROUNDS is its argument.
 */
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, SLOTS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[SLOTS], head, tail, moved;
static struct node {
    struct node *next;
    int key, count;
} nodes[SLOTS * 4], *chains[SLOTS];
static int used;

#if KIND == 1
static void work(int from, int to)
{
    pthread_mutex_lock(&lock);
    int balance = table[from];
    pthread_mutex_unlock(&lock);
    if (balance < 1)
        balance = 1;
    pthread_mutex_lock(&lock);
    if (table[to] < 1000000) {
        table[from] = balance - 1;
        table[to] += 1;
        moved++;
    }
    pthread_mutex_unlock(&lock);
}
#elif KIND == 2
static void work(int a, int b)
{
    pthread_mutex_lock(&lock);
    if (head - tail < SLOTS)
        table[head++ % SLOTS] = a;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (head > tail + b % 2)
        moved += table[tail++ % SLOTS];
    pthread_mutex_unlock(&lock);
}
#elif KIND == 3
static void work(int a, int b)
{
    int sum = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 16; i++)
        sum += table[(a + i) % SLOTS];
    if (sum < 1000)
        table[b]++;
    pthread_mutex_unlock(&lock);
}
#else
static void work(int a, int b)
{
    int key = a * SLOTS / 16 + b / 16;
    pthread_mutex_lock(&lock);
    struct node *at = chains[a];
    while (at && at->key != key)
        at = at->next;
    if (!at && used < SLOTS * 4) {
        at = &nodes[used++];
        at->key = key;
        at->next = chains[a];
        chains[a] = at;
    }
    if (at)
        at->count++;
    pthread_mutex_unlock(&lock);
}
#endif

static int rounds;

static void *run(void *unused)
{
    unsigned seed = 1 + (unsigned)(size_t)unused;
    for (int i = 0; i < rounds; i++) {
        seed = seed * 1103515245u + 12345u;
        work((int)(seed >> 8) & (SLOTS - 1), (int)(seed >> 16) & (SLOTS - 1));
    }
    return unused;
}

int main(int count, char **words)
{
    pthread_t threads[THREADS];
    rounds = count > 1 ? atoi(words[1]) : 1000;
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
