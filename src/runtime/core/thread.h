/* SPDX-License-Identifier: MIT */
/*
 * thread.h - the runtime's state of a thread.
 *
 * One structure, whose first lines are what accesses and calls touch: so it also holds state of
 * other parts (local variables and happens-before of elide/, signals and cancellation of posix/),
 * which the core does not use.
 */
#ifndef SER_RUNTIME_CORE_THREAD_H
#define SER_RUNTIME_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/channel.h"
#include "runtime/core/sys.h"

#define SER_EXPORT        __attribute__((visibility("default")))
#define SER_COLD          __attribute__((noinline, cold))
#define SER_ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    SER_ROOM = 1024,           /* records that may be written after ser_enter without looking */
    SER_STACK_DEPTH = 1 << 16, /* calls that are remembered; deeper ones are not recorded */
    SER_PERIOD = 1 << 13,      /* records after which the recorder is woken */
    SER_SAMPLES = 1024,        /* that a thread keeps (ser_sample) */
    SER_ANSWERS = 16,          /* that a thread remembers (ser_known_answer) */
    SER_KNOWN = 512,  /* threads whose operations others can know to happen before (elision.h) */
    SER_DELAYED = 4,  /* signals that can be deferred at the same time (signals.c) */
    SER_HANDLERS = 8, /* that interrupt each other inside (signals.c) */
    SER_HANDLER_WAKES = 4, /* that handlers of a sleeping thread may ask for at once */
    SER_WAKE_HANDLED = 2,  /* a value of ser_thread.wake */
    SER_TO_WAKE = 8,       /* threads that one can wake at once (ser_thread.to_wake) */
};

/* A stamp (elision.h): flags, a thread, the number of an operation, in bits from these on. */
enum { SER_STAMP_THREAD = 4, SER_STAMP_OPERATION = 20 };
#define SER_STAMP_ONE (UINT64_C(1) << SER_STAMP_OPERATION)

static inline uint64_t ser_stamp_operation(uint64_t stamp)
{
    return stamp >> SER_STAMP_OPERATION;
}

/* Why a thread elides nothing (elision.h): besides these bits, its marked blocks are
 * counted. */
#define SER_KEEP_ALL      (UINT32_C(1) << 31) /* elision is off for the whole run */
#define SER_KEEP_AT_FIRST (UINT32_C(1) << 30) /* the run has not been long enough */
#define SER_KEEP_ALWAYS   (UINT32_C(1) << 29) /* the thread's number is beyond SER_KNOWN */

/* Values of `inside`. PENDING: not inside, but the last thing was the announcement of a write
 * whose value is not known yet (TSan ABI): it is recorded when the thread enters again.
 * ALONE: parallel mode, in a line of its own (owners.h), where it writes no record.
 * ELSEWHERE: in a library that has threads and locks of its own, of which nothing is recorded. */
enum { SER_AWAY = 0, SER_INSIDE = 1, SER_PENDING = 2, SER_ALONE = 3, SER_ELSEWHERE = 4 };

typedef enum ser_state {
    SER_RUNS,    /* has the token; in parallel mode: is not waiting */
    SER_READY,   /* wants the token */
    SER_WAITS,   /* for an object, until it is woken or times out */
    SER_OUTSIDE, /* in a system call, or lost its token to the watchdog */
    SER_ENDED,
} ser_state;

/* Why a wait ended. */
typedef enum ser_wakening {
    SER_WOKEN,
    SER_TIMED_OUT,
    SER_INTERRUPTED,
    SER_CANCELLED,
    SER_HANDLED, /* a handler wants to wake others; inside the core only */
} ser_wakening;

typedef struct ser_thread ser_thread;
typedef struct ser_runtime_object ser_runtime_object;

/* How to wait. All zero: until ser_token_wake is called. */
typedef struct ser_runtime_wait {
    const ser_deadline *deadline;  /* null: for ever */
    bool (*is_free)(const void *); /* polled, since code without instrumentation may also release
                                      the object; null: only the runtime can */
    const void *address;           /* what is_free is asked about */
    const uint64_t *releases;      /* of the object by the runtime, each of which wakes a thread:
                                      while they go on, that it is free is no reason to wake up */
    bool foreign; /* another process, or a signal handler, may end it: polled often, and not a
                     deadlock */
    bool late;   /* with `foreign`: its time is over only after replay_ms, so that a replay need not
                    wait for that */
    bool sleeps; /* waits for its time alone, which a schedule may end as often as it likes */
    bool interruptible, cancellable;
    bool
        starved; /* it lost the object too often: the thread that ends the wait lets it run first */
    bool writes; /* waits for a reader-writer lock, to write */
    bool spurious;        /* may end for no reason: a schedule may want that */
    const uint32_t *word; /* a futex: no wait if it has another value than this; or null */
    uint32_t value;
    const pthread_mutex_t *mutex; /* that the thread must lock before it can go on; null: none */
    void (*stays)(void); /* how it sleeps, if not in the runtime: nobody will wake it; or null */
} ser_runtime_wait;

/* A signal that came while the thread was inside; number 0: none. */
typedef struct ser_delayed {
    int number;
    int timer; /* of the kernel: sends it again */
    uint32_t tries;
    siginfo_t info;
} ser_delayed;

/* Addresses of the frames of a signal handler, and of all that it calls. */
typedef struct ser_handler_frames {
    uintptr_t low, high; /* without `high` */
} ser_handler_frames;

/* A local variable whose beginning was held back (locals.h). */
typedef struct ser_local {
    uintptr_t address;
    uint32_t site, size;
    uint64_t begun; /* which beginning of the thread's locals it was; 0: there is none here */
    uint64_t since; /* parallel: the clock when it was recorded */
    bool recorded;  /* its beginning is recorded */
} ser_local;

/* An open call. */
typedef struct ser_call {
    uint64_t stamp;            /* of the thread, before it; if the call is not recorded yet */
    uint32_t site;             /* of the function */
    struct ser_abi_site *from; /* where it was called; NULL: not known */
} ser_call;

/* How many operations a thread had made at a time (elision.c). */
typedef struct ser_sample {
    uint64_t time, operations;
} ser_sample;

/* A cached result of ser_many_happen_before, and the state it is valid for: how often the thread
 * had learnt something, and how many threads there were. */
typedef struct ser_known_answer {
    uint64_t stamp, learned;
    uint32_t threads;
    bool known;
} ser_known_answer;

struct ser_thread {
    /* What an access that is elided touches, and a call. */
    _Alignas(64) uint32_t inside;
    uint32_t eliding;        /* what `inside` is while an access is elided on the fastest path */
    uint32_t keeping;        /* not 0: it records everything (SER_KEEP_*) */
    uint16_t owner_tag;      /* of its own lines (owners.h); 0: it has none */
    uint64_t stamp;          /* its number and how many operations it has made (elision.h) */
    uint64_t elide_limit;    /* the stamp until which it elides operations without looking */
    ser_call *calls;         /* the open ones */
    uint32_t call_room;      /* so many are remembered; 0: calls are not recorded */
    uint32_t depth;          /* how many are open */
    uint32_t recorded_depth; /* how many of them are recorded */
    struct ser_abi_site *calling; /* where the next one is called; NULL: not known */

    /* What an access touches that is recorded. */
    _Alignas(64) uint64_t limit;
    uint64_t line_limit;      /* parallel: the same for the fast path there */
    uint64_t recorded;        /* operations that are in the trace: all others were elided */
    uint64_t recorded_elided; /* how many of those are counted in records */
    ser_ring *ring;
    uint64_t tag; /* the thread's number, where it stands in a record's last 8 bytes */
    uint64_t clock;
    uint64_t machine;      /* what a virtual machine calls the thread; 0: nothing */
    uint32_t ignoring;     /* depth of __seriatim_ignore_begin */
    uint32_t locks;        /* that it holds */
    uint32_t unlocks_left; /* until it waits for other threads' requests (lingering.h); 0: none */
    uint64_t section;      /* operations it had made when it got the first of them */
    uintptr_t locked_at;   /* parallel: what it has locked the lines of */
    size_t locked_size;    /* 0: nothing */
    uint64_t floor;        /* parallel: raised by others; the clock goes on from there */
    uint32_t at; /* site of the next interposed call, by number, since the library that has the site
                    may be unloaded before it is used; 0: none */
    uint64_t
        ran_at; /* 1 + `recorded` when code without instrumentation was last recorded (outside.c) */
    uint32_t away;              /* how deep it is in such code */
    uint32_t recorded_operands; /* recorded operands of guards (operands.c) */
    uint32_t recorded_away;     /* how often that was recorded */
    const void *freeing;        /* the block that this call frees, if it does */
    uint64_t code;              /* the same as a code address (TSan ABI), where `at` is 0 */
    struct {                    /* the announced write; size 0: none */
        const void *address;
        uint32_t size, site;
    } pending;

    /* The rest belongs to the scheduler (under ser_runtime_world.lock) and to the objects. */
    _Alignas(64) uint32_t wake; /* futex: 1 when the token was handed over, or the wait is over;
                                   SER_WAKE_HANDLED: a handler of it wants to wake others */
    uint32_t number;
    uint32_t blocks; /* open atomic blocks */
    uint32_t tid;    /* of the kernel */
    ser_state state;
    ser_thread *next, *previous; /* in the queue of ready threads */
    uint64_t ready_turn;         /* ser_runtime_world.turn when it was put there */
    uint64_t ready_position;     /* and how far the run was */
    uint64_t priority;           /* pct */
    uint64_t steps;              /* replay: events so far */
    const ser_record *answer;    /* replay: the next one to give back (inputs.h); null: not
                                    looked for yet */
    ser_runtime_object *object;  /* it waits for this, in its queue */
    uint64_t since;              /* its place in the queue: when it came there first */
    ser_thread *ahead, *behind;  /* its neighbours in that queue */
    ser_runtime_object *polled;  /* it tries to get this again and again; null: nothing */
    uint32_t refusals;           /* failed tries since it was last given precedence, weighted */
    uint64_t refused_turn;       /* the turn of the last of them */
    uint64_t urgent_turn;        /* the last that it got as ser_runtime_world.urgent */
    ser_runtime_wait how; /* it waits, while its state is SER_WAITS: a copy, since a signal handler
                             may jump out of the frames of the wait. Only the thread itself follows
                             `deadline` */
    ser_thread *to_wake[SER_TO_WAKE]; /* parallel: those that it has woken, and that still sleep */
    uint32_t to_wake_count;           /* how many */
    ser_thread *lets_in; /* parallel: the thread that goes first when this one leaves; null: none */
    uint32_t expected;   /* parallel, futex: 1: another thread waits until it has gone first */
    bool wakes_later;    /* they could do nothing yet */
    bool awaits_bytes;   /* it is outside until others send it something, however long that takes */
    uint64_t kick_at;    /* parallel: head at which the recorder is woken next */
    uint32_t waiting_site;
    uint64_t kernel_word; /* the futex that it waited for last, at that site, in the kernel */
    bool woken;           /* by another thread, not by time */
    bool timed;           /* waits with a deadline */
    bool expired;         /* replay: its time is over, whatever the clock says */
    bool cancelled;   /* pthread_cancel was called for it, and it has not looked since (cancel.h) */
    bool cancellable; /* where it waits */
    bool async;       /* at any place: asynchronously */
    bool waits;       /* set by the thread itself, from before its state is SER_WAITS until after */
    bool detached;
    bool joined;
    bool makes_helpers;   /* it is ELSEWHERE but for the thread that it makes now */
    bool helps;           /* it was made so, and begins ELSEWHERE */
    uint32_t rounds;      /* of key destructors seen */
    uint64_t counted_out; /* serial mode: the weight that is in ser_runtime_world.elided */
    uint64_t looked_at; /* parallel mode: the operations that are in ser_runtime_world.operations */
    pthread_t handle;
    pthread_mutex_t
        end; /* not used as a mutex: the kernel marks it when the thread is gone (thread.c) */
    ser_thread *unjoined; /* list of threads that can still be joined */
    void *(*start)(void *);
    void *argument;
    sigset_t signals; /* the mask it starts with */
    bool asleep;      /* inside, but a handler of a signal may run (signals.c) */
    ser_delayed delayed[SER_DELAYED];
    bool defers;      /* there may be one in `delayed`; it is handled before the next operation */
    bool interrupted; /* a handler has run that ends the call it interrupts (no SA_RESTART) */
    ser_handler_frames handlers[SER_HANDLERS]; /* that have interrupted it inside, or in a wait */
    uint32_t handler_count;
    struct { /* handler_wakes.c: the threads that its handlers want to wake */
        const void *address;
        uint32_t kind, most;
    } handler_wakes[SER_HANDLER_WAKES];
    uint32_t handler_wake_count;
    uintptr_t stack_low;
    size_t stack_size;
    ser_local *locals;       /* by their place in memory; null: none were held back yet */
    uint64_t locals_begun;   /* how many */
    uint32_t locals_largest; /* bytes */
    uint32_t locals_lock;    /* parallel: of threads that record one */
    uint32_t locals_version; /* odd while the thread changes them */
    uint64_t samples;        /* that were taken; the last ones stand in `sample` */
    ser_sample sample[SER_SAMPLES];
    uint64_t learned; /* how often `known` has grown */
    ser_known_answer answers[SER_ANSWERS];
    uint64_t
        known[SER_KNOWN]; /* vector clock: operations of others that happen before its next one */
};

/* thread.c */
/* A new thread, not yet known to the scheduler; null if there are too many. */
ser_thread *ser_thread_create(void);
/* A thread that could not be started: its number stays unused. */
void ser_thread_forget(ser_thread *thread);
/* The last thing that is recorded of a thread. */
void ser_thread_end(ser_thread *me);

#endif
