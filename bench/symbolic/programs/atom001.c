/* SPDX-License-Identifier: MIT */
/*
 * atom001 of the paper, re-made: Apache's buffered log. A line is put behind what the buffer holds,
 * and the length is stored, while another thread may have emptied the buffer. -DFIX=1 (atom001a):
 * the other thread flushes only what was announced under a lock.
 */
#include <pthread.h>
#include <string.h>

static char buffer[256];
static int length;
static int written, ready; /* ready: with the fix only */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void append(const char *line, int size)
{
    int end = length;
    memcpy(buffer + end, line, (unsigned)size);
    length = end + size;
}

static void *log_line(void *unused)
{
    append("GET /index.html\n", 16);
    if (FIX) {
        pthread_mutex_lock(&lock);
        ready = 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *flush(void *unused)
{
    int may = 1;
    if (FIX) {
        pthread_mutex_lock(&lock);
        may = ready;
        pthread_mutex_unlock(&lock);
    }
    if (may) {
        written += length;
        length = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t logger, flusher;
    length = 8; /* of an earlier line */
    pthread_create(&logger, 0, log_line, 0);
    pthread_create(&flusher, 0, flush, 0);
    pthread_join(logger, 0);
    pthread_join(flusher, 0);
    return written != 24;
}
