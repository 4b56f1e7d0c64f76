/* SPDX-License-Identifier: MIT */
/* A thread is in a library, elsewhere for the recorder, and main waits for the library's lock. */
#include <pthread.h>
#include <stdio.h>

void g_async_queue_push(void *, void *);
void library_uses(void);

static void *work(void *data)
{
    g_async_queue_push(data, data);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    library_uses();
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
