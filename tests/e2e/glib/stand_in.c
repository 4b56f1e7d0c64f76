/* A stand-in for GLib, for machines that have none: locks and queues made of atomic variables, in a
   library that is not instrumented. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct mutex {
    atomic_int held;
} mutex;

typedef struct condition {
    atomic_int round;
} condition;

typedef struct queue {
    mutex lock;
    atomic_int count;
    void *items[64];
    int first;
} queue;

typedef struct pool {
    void (*function)(void *, void *);
    void *context;
    queue *work;
    pthread_t threads[2];
} pool;

int g_mutex_trylock(mutex *lock)
{
    return !atomic_exchange(&lock->held, 1);
}

void g_mutex_lock(mutex *lock)
{
    while (!g_mutex_trylock(lock))
        sched_yield();
}

void g_mutex_unlock(mutex *lock)
{
    atomic_store(&lock->held, 0);
}

void g_cond_wait(condition *until, mutex *lock)
{
    int before = until->round;
    g_mutex_unlock(lock);
    while (until->round == before)
        sched_yield();
    g_mutex_lock(lock);
}

void g_cond_broadcast(condition *until)
{
    atomic_fetch_add(&until->round, 1);
}

queue *g_async_queue_new(void)
{
    return calloc(1, sizeof(queue));
}

static void push(queue *to, void *data)
{
    while (atomic_exchange(&to->lock.held, 1))
        sched_yield();
    to->items[(to->first + to->count) % 64] = data;
    atomic_fetch_add(&to->count, 1);
    atomic_store(&to->lock.held, 0);
}

static void *pop(queue *from)
{
    for (;;) {
        while (atomic_exchange(&from->lock.held, 1))
            sched_yield();
        void *data = from->count ? from->items[from->first] : NULL;
        if (data) {
            from->first = (from->first + 1) % 64;
            atomic_fetch_sub(&from->count, 1);
        }
        atomic_store(&from->lock.held, 0);
        if (data)
            return data;
        sched_yield();
    }
}

void g_async_queue_push(queue *to, void *data)
{
    push(to, data);
}

void *g_async_queue_pop(queue *from)
{
    return pop(from);
}

static void *serve(void *argument)
{
    pool *of = argument;
    for (void *data; (data = pop(of->work)) != of;)
        of->function(data, of->context);
    return NULL;
}

pool *g_thread_pool_new(void (*function)(void *, void *), void *context, int most, int exclusive,
                        void *error)
{
    (void)most, (void)exclusive, (void)error;
    pool *made = calloc(1, sizeof *made);
    made->function = function;
    made->context = context;
    made->work = g_async_queue_new();
    for (int i = 0; i < 2; i++)
        pthread_create(&made->threads[i], NULL, serve, made);
    return made;
}

int g_thread_pool_push(pool *to, void *data, void *error)
{
    (void)error;
    push(to->work, data);
    return 1;
}

void g_thread_pool_free(pool *old, int at_once, int waits)
{
    (void)at_once, (void)waits;
    for (int i = 0; i < 2; i++)
        push(old->work, old);
    for (int i = 0; i < 2; i++)
        pthread_join(old->threads[i], NULL);
}
