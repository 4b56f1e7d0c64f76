/* SPDX-License-Identifier: MIT */
/* The first thread ends the program at once, so that the other one does nothing in a first run. It
 * fails if the flag is set between its two rounds. finds: The program fails */
#include <assert.h>
#include <pthread.h>

static int ready;

static void *worker(void *unused)
{
    for (int i = 0; i < 2; i++)
        if (ready) {
            assert(i == 0);
            ready = 0;
        }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    ready = 1;
    return 0;
}
