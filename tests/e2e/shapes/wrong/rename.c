/* SPDX-License-Identifier: MIT */
/* Text and length are set in two critical sections. In one order of the two writers nothing is to
 * be seen ("bob", with more of the array behind it), in the other one the text is cut: "ale".
 * finds: rename_to */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[32] = "bob";
static size_t length = 3;

static void set_name(const char *to)
{
    pthread_mutex_lock(&lock);
    strcpy(name, to);
    pthread_mutex_unlock(&lock);
}

static void set_length(size_t to)
{
    pthread_mutex_lock(&lock);
    length = to;
    pthread_mutex_unlock(&lock);
}

static void rename_to(const char *to)
{
    set_name(to);
    set_length(strlen(to));
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
