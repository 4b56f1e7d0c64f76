/* SPDX-License-Identifier: MIT */
/* A line of a log is put together before it is appended. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[256];
static size_t used;

static void append(const char *part)
{
    pthread_mutex_lock(&lock);
    size_t length = strlen(part);
    memcpy(text + used, part, length);
    used += length;
    pthread_mutex_unlock(&lock);
}

static void say(const char *who, const char *what)
{
    char line[64];
    snprintf(line, sizeof line, "%s: %s\n", who, what);
    append(line);
}

static void *speaker(void *name)
{
    say(name, "here");
    say(name, "gone");
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, speaker, "other");
    speaker("main");
    pthread_join(other, NULL);
    fputs(text, stdout);
    return 0;
}
