// The queue of Michael and Scott: what was read of its end is read once more, and compared. Nothing
// is ever freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct node {
    int value;
    _Atomic(struct node *) next;
} node;

static node nodes[5];
static _Atomic(node *) head = nodes, tail = nodes;
static atomic_int sum;

static void put(node *made)
{
    for (;;) {
        node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (!next && atomic_compare_exchange_strong(&last->next, &next, made)) {
            atomic_compare_exchange_strong(&tail, &last, made);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, next);
    }
}

static int take(void)
{
    for (;;) {
        node *first = atomic_load(&head), *last = atomic_load(&tail);
        node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (!next)
            return 0;
        if (first == last)
            atomic_compare_exchange_strong(&tail, &last, next);
        else if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void *worker(void *unused)
{
    static atomic_int used = 1;
    for (int i = 0; i < 2; i++) {
        node *made = &nodes[atomic_fetch_add(&used, 1)];
        made->value = 1;
        put(made);
        atomic_fetch_add(&sum, take());
    }
    return unused;
}

#define CORRECT (sum == 4)
#define THREADS worker, worker
#include "../start.h"
