/* SPDX-License-Identifier: MIT */
/*
 * runtime.h - threads, the token and the ring: the inside of libseriatim-rt.
 *
 * Every function that the program can call follows one pattern:
 *
 *     ser_thread *me = ser_enter();
 *     if (!me)
 *         return ser_real.f(...);       // nothing to record here: just do it
 *     ... do it, ser_put(me, ...) ...
 *     ser_leave(me);
 *
 * Between the two `inside` is set. In serial mode the thread then holds the token,
 * and nobody takes it away: the watchdog takes it only from threads that are not
 * inside (docs/runtime.md has the proof). Whoever finds `inside` set when it enters
 * is a signal handler, or code of the C library that the runtime itself called:
 * it gets a null pointer, and its work is done but not recorded.
 *
 * `limit` is the one thing that the fast path of an access compares: how far the head of
 * the ring, and a part of the operations that the thread left out (privacy.h), may go together
 * until it must look further. It is 0 for
 * whoever has not the token, ignores its accesses, or runs in parallel mode (which has
 * a limit of its own); else
 * the end of the turn or of the room in the ring. Only the holder of
 * ser_world.lock writes it. `hide_limit` says the same for operations that are left out, as
 * a stamp: it is not lowered by what is recorded meanwhile, so that a turn may last twice as long.
 * In serial mode it is the end of the turn alone, since what is left out needs no room: were it
 * found anew whenever the recorder is slow, the same seed would not give the same run.
 */
#ifndef SER_RUNTIME_RUNTIME_H
#define SER_RUNTIME_RUNTIME_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"
#include "runtime/channel.h"
#include "runtime/options.h"
#include "runtime/sys.h"
#include "trace/event.h"

#define SER_EXPORT        __attribute__((visibility("default")))
#define SER_COLD          __attribute__((noinline, cold))
#define SER_ALWAYS_INLINE inline __attribute__((always_inline))

enum {
    SER_ROOM = 1024,           /* records that may be written after ser_enter without looking */
    SER_STACK_DEPTH = 1 << 16, /* calls that are remembered; deeper ones are not recorded */
    SER_PERIOD = 1 << 13,      /* records after which the recorder is woken */
    SER_SAMPLES = 1024,        /* that a thread keeps (ser_sample) */
    SER_ANSWERS = 16,          /* that a thread remembers (ser_answer) */
    SER_KNOWN = 512,           /* threads of whose operations others know (privacy.h) */
    SER_DELAYED = 4,           /* signals that are put off at once (signals.c) */
    SER_TO_WAKE = 8,           /* threads that one can wake at once (ser_thread.to_wake) */
};

/* A stamp (privacy.h): flags, a thread, the number of an operation, in bits from these on. */
enum { SER_STAMP_THREAD = 4, SER_STAMP_OPERATION = 20 };
#define SER_STAMP_ONE (UINT64_C(1) << SER_STAMP_OPERATION)

static inline uint64_t ser_stamp_operation(uint64_t stamp)
{
    return stamp >> SER_STAMP_OPERATION;
}

/* Why a thread leaves nothing out (privacy.h): besides these bits, its marked blocks are
 * counted. */
#define SER_KEEP_ALL      (UINT32_C(1) << 31) /* nobody does, in all the run */
#define SER_KEEP_AT_FIRST (UINT32_C(1) << 30) /* the run has not been long enough */
#define SER_KEEP_ALWAYS   (UINT32_C(1) << 29) /* there are too many threads to know of this one */

/* Values of `inside`. PENDING: not inside, but the last thing was the announcement of a write
 * whose value is not known yet (TSan ABI): it is recorded when the thread enters again.
 * ALONE: parallel mode, in a line of its own (owners.h), where it writes no record. */
enum { SER_AWAY = 0, SER_INSIDE = 1, SER_PENDING = 2, SER_ALONE = 3 };

typedef enum ser_state {
    SER_RUNS,    /* has the token; in parallel mode: is not waiting */
    SER_READY,   /* wants the token */
    SER_WAITS,   /* for an object, until somebody wakes it or time is over */
    SER_OUTSIDE, /* in a system call, or lost its token to the watchdog */
    SER_ENDED,
} ser_state;

/* Why a wait ended. */
typedef enum ser_wakening { SER_WOKEN, SER_TIMED_OUT, SER_INTERRUPTED, SER_CANCELLED } ser_wakening;

typedef struct ser_thread ser_thread;
typedef struct ser_object ser_object;

/* A signal that came while the thread was inside; number 0: none. */
typedef struct ser_delayed {
    int number;
    int timer; /* of the kernel: sends it again */
    uint32_t tries;
    siginfo_t info;
} ser_delayed;

/* A local variable whose beginning was held back (locals.h). */
typedef struct ser_local {
    uintptr_t address;
    uint32_t site, size;
    uint64_t begun; /* which beginning of the thread's locals it was; 0: there is none here */
    uint64_t since; /* parallel: the clock when it was told */
    bool told;      /* the recorder knows it by now */
} ser_local;

/* An open call. */
typedef struct ser_call {
    uint64_t stamp; /* of the thread, before it; if the recorder does not know of it yet */
    uint32_t site;
} ser_call;

/* How many operations a thread had made at a time (privacy.c). */
typedef struct ser_sample {
    uint64_t time, operations;
} ser_sample;

/* Whether a stamp of several threads was known, when the thread had learnt that often, and there
 * had been so many threads. */
typedef struct ser_answer {
    uint64_t stamp, learned;
    uint32_t threads;
    bool known;
} ser_answer;

struct ser_thread {
    /* What an access that is left out touches, and a call. */
    _Alignas(64) uint32_t inside;
    uint32_t hiding;     /* what `inside` is while an access is left out on the shortest way */
    uint32_t keeping;    /* not 0: it records everything (SER_KEEP_*) */
    uint16_t owner_tag;  /* of its own lines (owners.h); 0: it has none */
    uint64_t stamp;      /* its number and how many operations it has made (privacy.h) */
    uint64_t hide_limit; /* the stamp until which it leaves operations out without looking */
    ser_call *calls;     /* the open ones */
    uint32_t call_room;  /* so many are remembered; 0: calls are not recorded */
    uint32_t depth;      /* how many are open */
    uint32_t told_depth; /* how many of them the recorder knows of */

    /* What an access touches that is recorded. */
    _Alignas(64) uint64_t limit;
    uint64_t line_limit; /* parallel: the same for the fast path there */
    uint64_t recorded;   /* operations that are in the trace: all others were left out */
    uint64_t told_out;   /* how many of those the recorder knows of */
    ser_ring *ring;
    uint64_t tag; /* the thread's number, where it stands in a record's last 8 bytes */
    uint64_t clock;
    uint32_t ignoring;   /* depth of __seriatim_ignore_begin */
    uint32_t locks;      /* that it holds */
    uint64_t section;    /* operations it had made when it got the first of them */
    uintptr_t locked_at; /* parallel: what it has locked the lines of */
    size_t locked_size;  /* 0: nothing */
    uint64_t floor;      /* parallel: raised by others; the clock goes on from there */
    uint32_t at;         /* site of the next interposed call, by number: the program may unload
                            the library that has the site before somebody asks; 0: none */
    uint64_t code;       /* the same as a code address (TSan ABI), where `at` is 0 */
    struct {             /* the announced write; size 0: none */
        const void *address;
        uint32_t size, site;
    } pending;

    /* The rest belongs to the scheduler (under ser_world.lock) and to the objects. */
    _Alignas(64) uint32_t wake; /* futex: 1 when the token was handed over, or the wait is over */
    uint32_t number;
    uint32_t blocks; /* open atomic blocks */
    uint32_t tid;    /* of the kernel */
    ser_state state;
    ser_thread *next, *previous;      /* in the queue of ready threads */
    uint64_t ready_turn;              /* ser_world.turn when it was put there */
    uint64_t ready_position;          /* and how far the run was */
    uint64_t priority;                /* pct */
    uint64_t steps;                   /* replay: events so far */
    const ser_record *answer;         /* replay: the next one to give back (inputs.h); null: not
                                         looked for yet */
    ser_object *object;               /* it waits for this, in its queue */
    uint64_t since;                   /* its place in the queue: when it came there first */
    ser_thread *ahead, *behind;       /* who waits for it before this one, and after */
    ser_object *polled;               /* it tries to get this again and again; null: nothing */
    uint32_t refusals;                /* tries that failed since it was let in first, weighted */
    uint64_t refused_turn;            /* the turn of the last of them */
    uint64_t urgent_turn;             /* the last that it got as ser_world.urgent */
    const struct ser_wait *how;       /* it waits; while its state is SER_WAITS */
    ser_thread *to_wake[SER_TO_WAKE]; /* parallel: those that it has woken, and that still sleep */
    uint32_t to_wake_count;           /* how many */
    ser_thread *lets_in; /* parallel: who comes before it when it leaves; null: nobody */
    uint32_t expected;   /* parallel, futex: 1: somebody waits for it to come first */
    bool wakes_later;    /* they could do nothing yet */
    uint64_t kick_at;    /* parallel: head at which the recorder is woken next */
    uint32_t waiting_site;
    uint64_t kernel_word; /* the futex that it waited for last, at that site, in the kernel */
    bool woken;           /* by another thread, not by time */
    bool timed;           /* waits with a deadline */
    bool expired;         /* replay: its time is over, whatever the clock says */
    bool cancelled;   /* pthread_cancel was called for it, and it has not looked since (cancel.h) */
    bool cancellable; /* where it waits */
    bool async;       /* at any place: asynchronously */
    bool waits;       /* by its own account: from before its state says so until after */
    bool detached;
    bool joined;
    uint32_t rounds;      /* of key destructors seen */
    uint64_t counted_out; /* serial mode: the weight that is in ser_world.left_out */
    uint64_t looked_at;   /* parallel mode: the operations that are in ser_world.operations */
    pthread_t handle;
    pthread_mutex_t end;  /* no mutex: the kernel marks it as left behind (thread.c) */
    ser_thread *unjoined; /* list of threads that can still be joined */
    void *(*start)(void *);
    void *argument;
    sigset_t signals; /* the mask it starts with */
    bool asleep;      /* inside, but a handler of a signal may run (signals.c) */
    ser_delayed delayed[SER_DELAYED];
    uintptr_t stack_low;
    size_t stack_size;
    ser_local *locals;       /* by their place in memory; null: none were held back yet */
    uint64_t locals_begun;   /* how many */
    uint32_t locals_largest; /* bytes */
    uint32_t locals_lock;    /* parallel: of those who tell the recorder of one */
    uint32_t locals_version; /* odd while the thread changes them */
    uint64_t samples;        /* that were taken; the last ones stand in `sample` */
    ser_sample sample[SER_SAMPLES];
    uint64_t learned; /* how often it learnt something */
    ser_answer answers[SER_ANSWERS];
    uint64_t known[SER_KNOWN]; /* operations of others that come before its own in any case */
};

typedef struct ser_world {
    ser_channel *channel; /* null: not recording in this process */
    bool parallel;
    bool recording; /* false once recording has stopped; threads go on taking turns */
    bool crowded; /* a thread could not be recorded: the recording ends at a record that says so */
    bool ended;
    bool can_steal;    /* the kernel has the barrier that stealing needs */
    bool foreign_heap; /* malloc is not ours (heap.c): what the C library allocates, instrumented
                          code may, which takes its locks and turns. So nobody calls there what
                          allocates while inside (thread.c), nor before it is known (stack.c) */
    int32_t process;
    ser_runtime_options options;

    _Alignas(64) ser_lock lock;
    ser_thread *holder; /* of the token; null: all wait or are outside */
    ser_thread *first, *last;
    ser_thread *urgent; /* of the queue, the next in any case; null: as the scheduler decides */
    uint32_t ready;     /* how many are in the queue */
    uint32_t waiting;   /* how many wait for something that only another thread can do */
    uint32_t living;
    uint64_t turn_end;   /* position at which the turn ends: records, and what was left out */
    uint64_t hide_end;   /* the holder's stamp at which it ends if all is left out */
    uint64_t left_out;   /* serial mode: its weight, of all threads, until their turns ended */
    uint64_t operations; /* parallel mode: made by all threads, at least */
    uint64_t turn;       /* counts hand-overs */
    ser_thread *ending;  /* serial mode: ended last, and may still give memory back */
    ser_ring *ring;      /* serial mode: the one ring; a private one after recording stopped */
    uint64_t wake_at;    /* head at which the recorder is woken next */
    uint64_t aside;      /* serial mode: records of inputs: who only asks the time does nothing */
    uint32_t thread_count;
    ser_thread *threads[SER_THREADS];

    _Alignas(64) ser_lock objects; /* parallel mode: over every operation but accesses */
    uint64_t clock;                /* parallel mode: of the last of these operations */
    uint64_t retired;              /* parallel mode: of the last end of a large block */
} ser_world;

extern ser_world ser_the_world;
extern bool ser_is_off;         /* it is certain that this process does not record */
extern ser_thread ser_nobody;   /* not known yet; always inside, so that it is asked who it is */
extern ser_thread ser_stranger; /* always inside: the runtime's own, and threads that have ended */
extern __thread ser_thread *ser_self __attribute__((tls_model("initial-exec")));

/* start.c: attaches to the channel if there is one; cheap when done before. */
void ser_start(void);
/* In a new process that is a copy of this one: nothing is recorded there. */
void ser_stop_in_child(void);

/* heap.c: does the program, or what was loaded before us, have a malloc of its own? */
bool ser_heap_is_foreign(void);

/* stack.c: where the initial thread's stack may be. Size 0 if that is not known. */
void ser_stack_of_process(uintptr_t *lowest, size_t *size);

/* memory.c: memory for the runtime itself, never given back; null if there is none. */
void *ser_memory(size_t size);
/* The same by pages, of a file or (-1) none; munmap gives it back. */
void *ser_map(size_t size, int flags, int file);

/* thread.c */
/* A new thread, not yet known to the scheduler; null if there are too many. */
ser_thread *ser_thread_create(void);
/* Makes the calling thread known that was not created through us. */
ser_thread *ser_thread_adopt(void);
/* The last thing that is recorded of a thread. */
void ser_thread_end(ser_thread *me);

/* ring.c */
/* Slow part of ser_enter: token, turn, room. */
ser_thread *ser_enter_slowly(ser_thread *me);
/* The same where the thread must not be cancelled. */
ser_thread *ser_enter_slowly_in_turn(ser_thread *me);
/* For a thread that is inside already, or unknown. */
ser_thread *ser_enter_unknown(ser_thread *me);
/* Waits until the ring has room for SER_ROOM records. The thread is inside, with token. */
void ser_ring_await_room(ser_thread *me);
void ser_ring_kick(void);
/* A ring that nobody reads, with more room than anybody will use; null if memory is out. */
ser_ring *ser_ring_private(uint64_t head);
void ser_stop_recording(void);
/* The thread creates one that cannot be known: the recording ends here. */
void ser_stop_for_stranger(ser_thread *me);
/* Counts events that could not be recorded, unless the recording ends before them. */
void ser_lose(uint64_t count);

bool ser_recorder_lives(void);
/* State of a thread or process as /proc/self/task/N/stat (or /proc/N/stat) says: 'R', 'S', ...;
 * 'X' if there is none; 0 if that cannot be told. */
char ser_proc_state(const char *prefix, uint32_t number);
/* One record as it is, with room made for it: a definition (parallel: in ring 0, under the
 * lock of definitions), or into the thread's own ring. */
void ser_put_definition(ser_thread *me, const ser_record *record);
void ser_put_whole(ser_thread *me, const ser_record *record);

/* frames.c: a call of the function at that place; the thread is inside. */
void ser_frame_enter(ser_thread *me, uint32_t site);

/* The place of an interposed call. */
uint32_t ser_here(ser_thread *me);

/* tsan.c: records a pending write, with the value that is there now. The thread has the token
 * and is inside, or the caller stands in for it. */
void ser_pending_write(ser_thread *me);

/* define.c: the number of a site, told to the recorder on first use; 0 for null. */
uint32_t ser_site_number(ser_thread *me, ser_abi_site *site);
uint32_t ser_text_number(ser_thread *me, const char *text);
/* The same for a place that has no site of its own: of an annotation, or in the code. */
uint32_t ser_place_number(ser_thread *me, const char *file, uint32_t line, const char *function);
uint32_t ser_code_number(ser_thread *me, uint64_t address);

static inline uint64_t ser_tag(int op, uint32_t size, uint32_t site)
{
    return site | (uint64_t)op << 48 | (uint64_t)size << 56;
}

/* Operations of the program, as others count them (replay.h): events and ranges. */
static inline bool ser_is_operation(uint8_t op)
{
    return op < SER_RAW_FIRST || op == SER_RAW_RANGE_READ || op == SER_RAW_RANGE_WRITE;
}

/* Writes one record that is no operation, and says whose it is. The thread is inside; there is
 * room. */
static inline void ser_put_of(ser_thread *me, const ser_thread *whose, uint64_t object,
                              uint64_t value, uint64_t tag)
{
    ser_ring *ring = me->ring;
    uint64_t head = ring->head;
    ser_record *record = &ring->records[head % SER_RING_RECORDS];
    record->object = object;
    record->value = value;
    record->clock = me->clock;
    tag |= whose->tag;
    __builtin_memcpy(&record->site, &tag, sizeof tag);
    __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
}

/* The same of the thread itself. */
static inline void ser_put_raw(ser_thread *me, uint64_t object, uint64_t value, uint64_t tag)
{
    ser_put_of(me, me, object, value, tag);
}

/* One operation more, which is in the trace. */
static inline void ser_count_recorded(ser_thread *me)
{
    me->stamp += SER_STAMP_ONE;
    me->recorded++;
}

/* Writes one record; an event, below SER_RAW_FIRST, is an operation. */
static inline void ser_put_record(ser_thread *me, uint64_t object, uint64_t value, uint64_t tag)
{
    if ((uint8_t)(tag >> 48) < SER_RAW_FIRST)
        ser_count_recorded(me);
    ser_put_raw(me, object, value, tag);
}

static_assert(offsetof(ser_record, thread) - offsetof(ser_record, site) == 4, "of the tag");
static_assert(offsetof(ser_record, op) - offsetof(ser_record, site) == 6, "of the tag");
static_assert(offsetof(ser_record, size) - offsetof(ser_record, site) == 7, "of the tag");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "of the tag");

/* How many operations the thread left out. */
static inline uint64_t ser_left_out(const ser_thread *thread)
{
    return ser_stamp_operation(thread->stamp) - thread->recorded;
}

/* What a thread left out counts little for its turn: to switch threads there shows nothing. */
enum { SER_WEIGHS_ONE = 16 };
static inline uint64_t ser_weight(const ser_thread *thread)
{
    return ser_left_out(thread) / SER_WEIGHS_ONE;
}

/* What is compared with the limit. */
static inline uint64_t ser_position(const ser_thread *me)
{
    return me->ring->head + ser_weight(me);
}

/* The stamp that the thread has so many positions on, if it leaves out everything until then. */
static inline uint64_t ser_hide_until(const ser_thread *thread, uint64_t length)
{
    return thread->stamp + length * SER_WEIGHS_ONE * SER_STAMP_ONE;
}

/* Serial mode, under ser_world.lock: the position where the thread must look further. */
static inline void ser_set_limit(ser_thread *thread, uint64_t limit)
{
    uint64_t hide_limit = limit && !thread->keeping ? ser_the_world.hide_end : 0;
    __atomic_store_n(&thread->limit, limit, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->hide_limit, hide_limit, __ATOMIC_RELAXED);
}

/* Parallel mode, of the thread itself. Who can have no line has nothing to itself. */
static inline void ser_set_line_limit(ser_thread *me, uint64_t limit)
{
    uint64_t now = ser_position(me);
    bool hides = limit > now && me->owner_tag && !me->keeping;
    me->line_limit = limit;
    me->hide_limit = hides ? ser_hide_until(me, limit - now) : 0;
}

/* Parallel mode: others may have raised it. After `inside` is set, so that they know. */
static inline void ser_raise_own_clock(ser_thread *me)
{
    uint64_t floor = __atomic_load_n(&me->floor, __ATOMIC_RELAXED);
    if (floor > me->clock)
        me->clock = floor;
}

/* Of the two limits one is 0. */
static inline ser_thread *ser_enter(void)
{
    ser_thread *me = ser_self;
    if (ser_unlikely(me->inside))
        return ser_enter_unknown(me);
    me->inside = 1;
    ser_compiler_barrier();
    if (ser_unlikely(ser_position(me) >= (me->limit | me->line_limit)))
        return ser_enter_slowly(me);
    ser_raise_own_clock(me);
    return me;
}

/* The same without the end of a turn, for calls that may come with locks of the C library
 * held. Null for a thread that is not known yet: it does not become known here. */
static inline ser_thread *ser_enter_in_turn(void)
{
    ser_thread *me = ser_self;
    if (me->inside == SER_PENDING)
        return ser_enter();
    if (me->inside)
        return 0;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    if (me->limit == 0)
        return ser_enter_slowly_in_turn(me);
    uint64_t tail = __atomic_load_n(&me->ring->tail, __ATOMIC_ACQUIRE);
    if (me->ring->head + SER_ROOM > tail + SER_RING_RECORDS)
        ser_ring_await_room(me);
    return me;
}

static inline void ser_leave(ser_thread *me)
{
    __atomic_store_n(&me->inside, SER_AWAY, __ATOMIC_RELEASE);
}

/* An event of synchronisation or of the thread itself, at the place of the call. In
 * parallel mode the caller holds ser_world.objects, or the event is the thread's own. */
void ser_put_sized(ser_thread *me, int op, const void *object, uint64_t value, uint32_t size);
static inline void ser_put(ser_thread *me, int op, const void *object, uint64_t value)
{
    ser_put_sized(me, op, object, value, 0);
}

#endif
