/* SPDX-License-Identifier: MIT */
/*
 * A free list that is filled anew when it is empty, by a function that others call in a loop: each
 * call looks for itself, and an item that comes back between two calls does no harm.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { AT_ONCE = 4, JOBS = 2 };

typedef struct item {
    struct item *next;
} item;

static item *free_items, *handed_over[JOBS];
static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t job_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_handed = PTHREAD_COND_INITIALIZER;

static item *make_item(void)
{
    pthread_mutex_lock(&free_lock);
    item *made = free_items;
    if (made)
        free_items = made->next;
    pthread_mutex_unlock(&free_lock);
    if (made)
        return made;
    made = calloc(AT_ONCE, sizeof *made);
    for (int i = 2; i < AT_ONCE; i++)
        made[i - 1].next = &made[i];
    pthread_mutex_lock(&free_lock);
    made[AT_ONCE - 1].next = free_items;
    free_items = &made[1];
    pthread_mutex_unlock(&free_lock);
    return made;
}

static void give_back(item *done)
{
    pthread_mutex_lock(&free_lock);
    done->next = free_items;
    free_items = done;
    pthread_mutex_unlock(&free_lock);
}

static void hand_over(int job)
{
    item *made = make_item();
    pthread_mutex_lock(&job_lock);
    handed_over[job] = made;
    pthread_cond_broadcast(&is_handed);
    pthread_mutex_unlock(&job_lock);
}

static void hand_over_all(void)
{
    for (int i = 0; i < JOBS; i++)
        hand_over(i);
}

static void *work(void *argument)
{
    int job = *(int *)argument;
    pthread_mutex_lock(&job_lock);
    while (!handed_over[job])
        pthread_cond_wait(&is_handed, &job_lock);
    item *mine = handed_over[job];
    pthread_mutex_unlock(&job_lock);
    give_back(mine);
    return 0;
}

int main(void)
{
    pthread_t threads[JOBS];
    int jobs[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = i;
        pthread_create(&threads[i], 0, work, &jobs[i]);
    }
    hand_over_all();
    for (int i = 0; i < JOBS; i++)
        pthread_join(threads[i], 0);
    puts("done");
    return 0;
}
