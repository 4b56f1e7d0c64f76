/* SPDX-License-Identifier: MIT */
/*
 * A task is written down as a sequence of words (write_task), in which everything that
 * may differ in length says how long it is. Equal sequences are equal tasks.
 */
#include "predict/reuse.h"

#include <pthread.h>

#include "base/idmap.h"

/* A task that is larger than the one number is not compared; all that are kept have no more
 * words than the other. */
enum { LARGE_TASK_WORDS = 2 << 20, MOST_WORDS = 16 << 20, BUCKETS = 4096 };

typedef SER_VECTOR(uint32_t) word_list;

typedef struct entry {
    struct entry *next; /* in its bucket */
    uint64_t hash;
    word_list words;
    const ser_search_engine *engine;
    ser_outcome outcome;
    word_list order; /* of SER_VIOLATED */
} entry;

struct ser_reuse {
    pthread_mutex_t lock; /* for all below; an entry stays as it is */
    entry *buckets[BUCKETS];
    size_t words; /* of all entries */
};

static void write_list(word_list *words, const ser_task *task, ser_step_list list)
{
    ser_vector_push(words, list.count);
    for (uint32_t i = 0; i < list.count; i++)
        ser_vector_push(words, task->lists.items[list.first + i]);
}

/* Transactions are numbered anew, in the order in which they come. */
static void write_step(word_list *words, const ser_task *task, const ser_task_step *step,
                       ser_idmap *transactions)
{
    uint32_t fresh = (uint32_t)transactions->count;
    ser_vector_push(words, step->thread);
    ser_vector_push(words, step->variable);
    ser_vector_push(words, step->lock);
    ser_vector_push(words, step->source);
    ser_vector_push(words, (uint32_t)(step->access | step->action << 8 | step->in_block << 16 |
                                      step->joined << 17 | step->writes_anyway << 18 |
                                      step->unspoiled << 19 | step->writes_known << 20));
    ser_vector_push(words, step->limit);
    ser_vector_push(words, step->ends);
    ser_vector_push(words, *ser_idmap_add(transactions, step->transaction, fresh));
    write_list(words, task, step->needs);
    write_list(words, task, step->clear);
    write_list(words, task, step->accepts);
}

static void write_lock(word_list *words, const ser_task_lock *lock)
{
    ser_vector_push(words, lock->holder);
    ser_vector_push(words, (uint32_t)lock->sharers.count);
    for (size_t i = 0; i < lock->sharers.count; i++)
        ser_vector_push(words, lock->sharers.items[i]);
}

static void write_task(word_list *words, const ser_task *task)
{
    ser_idmap transactions = {0};
    uint32_t head[] = {(uint32_t)task->steps.count, (uint32_t)task->threads.count,
                       (uint32_t)task->locks.count, task->variables,
                       task->block_thread,          task->first_block_step,
                       task->last_block_step,       task->may_change,
                       task->part.number,           task->part.of};
    ser_vector_reserve(words, task->steps.count * 11 + sizeof head / sizeof *head);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        ser_vector_push(words, head[i]);
    for (size_t i = 0; i < task->threads.count; i++)
        ser_vector_push(words, task->threads.items[i].count);
    for (size_t i = 0; i < task->locks.count; i++)
        write_lock(words, &task->locks.items[i]);
    ser_vector_push(words, (uint32_t)task->freed_by.count);
    for (size_t i = 0; i < task->freed_by.count; i++)
        write_list(words, task, task->freed_by.items[i]);
    for (size_t i = 0; i < task->steps.count; i++)
        write_step(words, task, &task->steps.items[i], &transactions);
    ser_idmap_fini(&transactions);
}

/* Steps may share a list, and each is written with its own. */
static bool is_large(const ser_task *task)
{
    uint64_t words = 0;
    for (size_t i = 0; i < task->steps.count && words <= LARGE_TASK_WORDS; i++) {
        const ser_task_step *step = &task->steps.items[i];
        words += 11 + (uint64_t)step->needs.count + step->clear.count + step->accepts.count;
    }
    for (size_t i = 0; i < task->freed_by.count && words <= LARGE_TASK_WORDS; i++)
        words += 1 + (uint64_t)task->freed_by.items[i].count;
    return words > LARGE_TASK_WORDS;
}

static uint64_t hash_words(const word_list *words)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < words->count; i++) {
        hash = (hash ^ words->items[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

ser_reuse *ser_reuse_create(void)
{
    ser_reuse *reuse = ser_alloc(1, sizeof *reuse);
    pthread_mutex_init(&reuse->lock, NULL);
    return reuse;
}

static void free_entry(entry *old)
{
    ser_vector_free(&old->words);
    ser_vector_free(&old->order);
    free(old);
}

void ser_reuse_destroy(ser_reuse *reuse)
{
    if (!reuse)
        return;
    for (size_t i = 0; i < BUCKETS; i++) {
        for (entry *at = reuse->buckets[i], *next; at; at = next) {
            next = at->next;
            free_entry(at);
        }
    }
    pthread_mutex_destroy(&reuse->lock);
    free(reuse);
}

static const entry *find(const ser_reuse *reuse, const word_list *words, uint64_t hash)
{
    const entry *at = reuse->buckets[hash % BUCKETS];
    while (at && (at->hash != hash || at->words.count != words->count ||
                  memcmp(at->words.items, words->items, words->count * sizeof *words->items) != 0))
        at = at->next;
    return at;
}

const ser_search_engine *ser_reuse_find(ser_reuse *reuse, const ser_task *task, ser_answer *answer)
{
    word_list words = {0};
    if (is_large(task))
        return NULL;
    write_task(&words, task);
    pthread_mutex_lock(&reuse->lock);
    const entry *found = find(reuse, &words, hash_words(&words));
    pthread_mutex_unlock(&reuse->lock);
    ser_vector_free(&words);
    if (!found)
        return NULL;
    answer->outcome = found->outcome;
    answer->reason = SER_REASON_NONE;
    answer->order.count = 0;
    for (size_t i = 0; i < found->order.count; i++)
        ser_vector_push(&answer->order, found->order.items[i]);
    return found->engine;
}

static entry *create_entry(const ser_task *task, const ser_search_engine *engine,
                           const ser_answer *answer)
{
    entry *fresh = ser_alloc(1, sizeof *fresh);
    fresh->engine = engine;
    fresh->outcome = answer->outcome;
    write_task(&fresh->words, task);
    fresh->hash = hash_words(&fresh->words);
    for (size_t i = 0; answer->outcome == SER_VIOLATED && i < answer->order.count; i++)
        ser_vector_push(&fresh->order, answer->order.items[i]);
    return fresh;
}

void ser_reuse_keep(ser_reuse *reuse, const ser_task *task, const ser_search_engine *engine,
                    const ser_answer *answer)
{
    if (answer->outcome == SER_UNKNOWN || is_large(task))
        return;
    entry *fresh = create_entry(task, engine, answer);
    size_t size = fresh->words.count + fresh->order.count;
    pthread_mutex_lock(&reuse->lock);
    bool kept = reuse->words + size <= MOST_WORDS && !find(reuse, &fresh->words, fresh->hash);
    if (kept) {
        entry **bucket = &reuse->buckets[fresh->hash % BUCKETS];
        fresh->next = *bucket;
        *bucket = fresh;
        reuse->words += size;
    }
    pthread_mutex_unlock(&reuse->lock);
    if (!kept)
        free_entry(fresh);
}
