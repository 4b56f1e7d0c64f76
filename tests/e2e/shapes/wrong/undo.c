/* SPDX-License-Identifier: MIT */
/* Looks and takes in two sections of one line, and another call comes only to the first. finds:
 * undo
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[4] = {5}, top = 1;

// clang-format off
#define LOCKED(what) pthread_mutex_lock(&lock); what; pthread_mutex_unlock(&lock)

static int undo(void)
{
    int empty, value; LOCKED(empty = top == 0); if (empty) return -1; LOCKED(value = stack[--top]); return value;
}
// clang-format on

static void *user(void *unused)
{
    undo();
    return unused;
}

#define THREADS user, user
#define CORRECT (printf("%d left\n", top), 1)
#include "../start.h"
