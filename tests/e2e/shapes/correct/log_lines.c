/* SPDX-License-Identifier: MIT */
/* A line of a log is put together by several calls, each with a lock of its own, and one lock over
 * all of them. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, whole = PTHREAD_MUTEX_INITIALIZER;
static char line[64], all[256];
static size_t used;

static void append(const char *text)
{
    pthread_mutex_lock(&lock);
    memcpy(line + used, text, strlen(text));
    used += strlen(text);
    pthread_mutex_unlock(&lock);
}

static void end_line(void)
{
    pthread_mutex_lock(&lock);
    line[used] = '\0';
    strcat(all, line);
    used = 0;
    pthread_mutex_unlock(&lock);
}

static void log_pair(const char *key, const char *value)
{
    pthread_mutex_lock(&whole);
    append(key);
    append("=");
    append(value);
    append(";");
    end_line();
    pthread_mutex_unlock(&whole);
}

static void *log_user(void *unused)
{
    log_pair("user", "ann");
    return unused;
}

static void *log_host(void *unused)
{
    log_pair("host", "mars");
    return unused;
}

#define THREADS log_user, log_host
#define CORRECT printf(strstr(all, "user=ann;") && strstr(all, "host=mars;") ? "good\n" : "mixed\n")
#include "../start.h"
