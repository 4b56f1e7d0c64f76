/* SPDX-License-Identifier: MIT
 *
 * counter, the correct twin: both counts are halves of one word, which is added to and read
 * in one step.
 *
 * Blocks: functions
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { SERVERS = 2, REQUESTS = 3 };

static atomic_ullong word; /* failures in the upper half, requests in the lower */

static void count(bool failed)
{
    atomic_fetch_add(&word, failed ? (1ull << 32) + 1 : 1);
}

struct counts {
    unsigned requests, failures;
};

static struct counts look(void)
{
    unsigned long long both = atomic_load(&word);
    return (struct counts){.requests = (unsigned)both, .failures = (unsigned)(both >> 32)};
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
