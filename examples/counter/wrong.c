/* SPDX-License-Identifier: MIT
 *
 * counter: statistics of a server, kept without locks: how many requests there were, and
 * how many of them failed.
 *
 * Each counter is atomic. The two together are not: who reads one and then the other may
 * count more failures than requests.
 *
 * Blocks: functions
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { SERVERS = 2, REQUESTS = 3 };

static atomic_uint requests, failures;

static void count(bool failed)
{
    atomic_fetch_add(&requests, 1);
    if (failed)
        atomic_fetch_add(&failures, 1);
}

struct counts {
    unsigned requests, failures;
};

static struct counts look(void)
{
    struct counts counts;
    counts.requests = atomic_load(&requests);
    counts.failures = atomic_load(&failures);
    return counts;
}

static void *serve(void *plausible)
{
    for (int i = 0; i < REQUESTS; i++)
        count(true);
    struct counts counts = look();
    *(bool *)plausible = counts.failures <= counts.requests;
    return NULL;
}

int main(void)
{
    pthread_t servers[SERVERS];
    bool plausible[SERVERS];
    for (int i = 0; i < SERVERS; i++)
        pthread_create(&servers[i], NULL, serve, &plausible[i]);
    for (int i = 0; i < SERVERS; i++)
        pthread_join(servers[i], NULL);
    for (int i = 0; i < SERVERS; i++)
        puts(plausible[i] ? "plausible" : "more failures than requests");
    struct counts counts = look();
    printf("%u requests, %u failures\n", counts.requests, counts.failures);
    return 0;
}
