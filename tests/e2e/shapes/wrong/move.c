/* SPDX-License-Identifier: MIT */
/* An entry is taken out of a list and put in front of it, in two critical sections: who counts the
 * entries meanwhile misses one. Only what the program prints shows it: the count follows the list,
 * and so reads the front first, which is changed last. finds: touch */
#include <pthread.h>
#include <stdio.h>

struct entry {
    struct entry *before, *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry head = {&head, &head}, entries[3];
static int seen;

static void take_out(struct entry *entry)
{
    entry->before->next = entry->next;
    entry->next->before = entry->before;
}

static void put_in_front(struct entry *entry)
{
    *entry = (struct entry){&head, head.next};
    head.next->before = entry;
    head.next = entry;
}

static void touch(struct entry *entry)
{
    pthread_mutex_lock(&lock);
    take_out(entry);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    put_in_front(entry);
    pthread_mutex_unlock(&lock);
}

static void *use(void *unused)
{
    touch(&entries[1]);
    touch(&entries[2]);
    return unused;
}

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    for (struct entry *entry = head.next; entry != &head; entry = entry->next)
        seen++;
    pthread_mutex_unlock(&lock);
    return unused;
}

__attribute__((constructor)) static void fill(void)
{
    for (int i = 0; i < 3; i++)
        put_in_front(&entries[i]);
}

#define THREADS use, count
#define CORRECT printf("%d entries\n", seen)
#include "../start.h"
