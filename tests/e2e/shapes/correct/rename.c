/* SPDX-License-Identifier: MIT */
/* The same as the wrong one, in one critical section: it prints one name or the other. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[32] = "bob";
static size_t length = 3;

static void set_name(const char *to)
{
    strcpy(name, to);
}

static void set_length(size_t to)
{
    length = to;
}

static void rename_to(const char *to)
{
    pthread_mutex_lock(&lock);
    set_name(to);
    set_length(strlen(to));
    pthread_mutex_unlock(&lock);
}

static int print(void)
{
    char copy[32] = "";
    memcpy(copy, name, length);
    return puts(copy);
}

static void *shorten(void *unused)
{
    rename_to("bob");
    return unused;
}

static void *lengthen(void *unused)
{
    rename_to("alexander");
    return unused;
}

#define THREADS lengthen, shorten
#define CORRECT print()
#include "../start.h"
