/* SPDX-License-Identifier: MIT */
/*
 * objects.h - what threads wait for: queues, by address.
 *
 * Only objects with waiters, or with a state of their own (a barrier's arrivals, a once in
 * progress), are in the table; uncontended locks cost nothing. The caller has the token, in
 * parallel mode ser_runtime_world.objects: ser_enter_sync sees to both.
 */
#ifndef SER_RUNTIME_CORE_TURNS_OBJECTS_H
#define SER_RUNTIME_CORE_TURNS_OBJECTS_H

#include "runtime/core/turns/token.h"

typedef enum ser_kind {
    SER_KIND_MUTEX,
    SER_KIND_RWLOCK,
    SER_KIND_SPIN,
    SER_KIND_CONDITION,
    SER_KIND_BARRIER,
    SER_KIND_SEMAPHORE,
    SER_KIND_ONCE,
    SER_KIND_FUTEX,
    SER_KIND_THREAD,
} ser_kind;

struct ser_runtime_object {
    const void *address;
    ser_kind kind;
    uint32_t count;           /* barrier: threads that have arrived in this round */
    uint64_t releases;        /* how often threads were woken, or might have been */
    ser_thread *runner;       /* once: the thread that runs it */
    ser_thread *first, *last; /* waiting threads, in order of arrival */
    ser_thread *poller;       /* a thread that tries again and again; null: none */
    ser_runtime_object *next; /* in its chain of the table */
};

/* A thread wants an object, until it has it: however often it must wait, it keeps its place in
 * the queue, and if it lost the object to others too often it goes before them. All zero at
 * first. */
typedef struct ser_claim {
    uint64_t since; /* when it waited first; 0: not yet */
    uint32_t losses;
} ser_claim;

/* ser_enter and ser_leave for everything that is not an access. Without a recorder a program pays
 * for the test only. */
ser_thread *ser_enter_sync_recorded(void);
static inline ser_thread *ser_enter_sync(void)
{
    return ser_is_off ? 0 : ser_enter_sync_recorded();
}
void ser_leave_sync(ser_thread *me);
/* The object, or null if nothing is known of it. */
ser_runtime_object *ser_object_find(ser_kind kind, const void *address);
/* The same, made if need be; null if memory is out. */
ser_runtime_object *ser_object_get(ser_kind kind, const void *address);
/* Forgets it if it has neither waiters nor state. */
void ser_object_drop(ser_runtime_object *object);

/* Waits for the object, last in its queue. */
ser_wakening ser_object_wait(ser_thread *me, ser_kind kind, const void *address,
                             ser_runtime_wait how);
/* Waits for something that others may take first, after a try that failed. */
ser_wakening ser_object_await(ser_thread *me, ser_kind kind, const void *address,
                              ser_runtime_wait how, ser_claim *claim);
/* A try has failed, and the thread does not wait. If it polls, it gets precedence after some
 * tries. */
void ser_object_refuse(ser_thread *me, ser_kind kind, const void *address);
/* Has a thread that waits for the object, or polls it, lost it to others too often? */
bool ser_object_starves(ser_kind kind, const void *address);
/* The thread waits no longer, whatever the reason. */
void ser_object_forsake(ser_thread *me);
/* Wakes the first `most` that wait; returns how many. Forgets the object if it may. One that
 * lost the object too often, or polls it, runs next. */
uint32_t ser_object_wake(ser_kind kind, const void *address, uint32_t most);

/* The thread with that kernel number; null if it is not one of ours, or has ended. */
ser_thread *ser_thread_by_tid(uint32_t tid);

/* The same if it has ended and no later thread got the number: its locks stay held. */
ser_thread *ser_thread_last_with_tid(uint32_t tid);
/* The thread that holds the object; null if none does, or it is not known. */
ser_thread *ser_object_holder(const ser_runtime_object *object);

/* handler_wakes.c: for functions that wake and are called by a signal handler, so that
 * ser_enter_sync gave null. False if the thread does not sleep. */
bool ser_handler_wakes(ser_kind kind, const void *address, uint32_t most);

#endif
