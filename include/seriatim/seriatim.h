/* SPDX-License-Identifier: MIT */
/*
 * seriatim.h - the library: is a stream of events conflict serializable?
 *
 * A monitor takes the events of a running program (or of a trace that is read)
 * one by one and says at once when the atomic blocks seen so far can no longer
 * be put one after another:
 *
 *     seriatim_monitor *monitor = seriatim_monitor_create(NULL, NULL);
 *     seriatim_monitor_event(monitor, 1, SERIATIM_BEGIN, SERIATIM_NO_OBJECT);
 *     seriatim_monitor_event(monitor, 1, SERIATIM_READ, (uintptr_t)&balance);
 *     seriatim_monitor_event(monitor, 2, SERIATIM_WRITE, (uintptr_t)&balance);
 *     if (seriatim_monitor_event(monitor, 1, SERIATIM_WRITE, (uintptr_t)&balance) ==
 *         SERIATIM_VIOLATION) ...
 *
 * Nothing here is thread-safe: events must come in the order in which they
 * happened, so the caller puts them in order anyway. When memory runs out the
 * process ends with a message. Link with `pkg-config --libs seriatim`.
 */
#ifndef SERIATIM_SERIATIM_H
#define SERIATIM_SERIATIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SERIATIM_API __attribute__((visibility("default")))

/* What functions return; also the exit codes of the program seriatim. */
enum {
    SERIATIM_OK = 0,
    SERIATIM_VIOLATION = 1,
    SERIATIM_USAGE = 2,
    SERIATIM_INPUT = 3, /* a trace that cannot be read, an event that does not fit */
};

/* What an event does. Numbers never change; new ones come last. */
typedef enum seriatim_op {
    SERIATIM_SKIP,           /* takes no part, but counts as an event */
    SERIATIM_READ,           /* of a variable */
    SERIATIM_WRITE,          /* of a variable */
    SERIATIM_RMW,            /* atomic read-modify-write of a variable */
    SERIATIM_ACQUIRE,        /* of a lock; may be re-entrant */
    SERIATIM_RELEASE,        /* of a lock */
    SERIATIM_SHARED_ACQUIRE, /* of a reader-writer lock */
    SERIATIM_SHARED_RELEASE, /* of a reader-writer lock */
    SERIATIM_TRY_FAILED,     /* a try-acquire that found the lock taken */
    SERIATIM_FORK,           /* of a thread */
    SERIATIM_JOIN,           /* of a thread */
    SERIATIM_BEGIN,          /* of an atomic block; the object is a label, or none */
    SERIATIM_END,            /* of an atomic block */
    SERIATIM_WAIT,           /* on a condition */
    SERIATIM_NOTIFY,         /* of one waiter */
    SERIATIM_NOTIFY_ALL,     /* of all waiters */
    SERIATIM_ARRIVE,         /* at a barrier */
    SERIATIM_DEPART,         /* from a barrier */
    SERIATIM_POST,           /* of a semaphore */
    SERIATIM_TAKE,           /* a wait for a semaphore that succeeded */
    SERIATIM_CALL,           /* of a function */
    SERIATIM_RETURN,         /* from a function */
} seriatim_op;

#define SERIATIM_NO_OBJECT UINT64_MAX /* begin and end without a label, skip */

/* --- monitoring -------------------------------------------------------- */

typedef struct seriatim_monitor seriatim_monitor;

/* A transaction: events first to last of a thread, a block or a single event.
 * Events are numbered from 1 in the order in which the monitor got them. */
typedef struct seriatim_transaction {
    uint64_t thread;
    uint64_t first, last;
} seriatim_transaction;

typedef struct seriatim_violation {
    uint64_t event;  /* at which the blocks stopped being serializable */
    uint64_t thread; /* of the violated block */
    uint64_t block;  /* number of the first event of the violated block */
    /* Each of these must come before the next one, and the last one before the
     * first. NULL where the engine does not keep track of it. */
    const seriatim_transaction *cycle;
    size_t cycle_length;
} seriatim_violation;

/*
 * engine is "summaries", "velodrome" or "aerodrome"; NULL is the first. atomic is
 * "markers" (begin and end events) or "locks" (spans in which a thread holds a
 * lock); NULL is the first. NULL is returned for any other word.
 */
SERIATIM_API seriatim_monitor *seriatim_monitor_create(const char *engine, const char *atomic);
SERIATIM_API void seriatim_monitor_destroy(seriatim_monitor *monitor);

/*
 * The next event. Threads and objects are named by any numbers, addresses say;
 * variables, locks, conditions and so on do not share names.
 *
 * SERIATIM_VIOLATION: a block that was not reported before is not serializable.
 * SERIATIM_INPUT: the event cannot have happened (a release of a lock that is
 * not held, say) and is ignored; seriatim_monitor_complaint says why.
 */
SERIATIM_API int seriatim_monitor_event(seriatim_monitor *monitor, uint64_t thread, seriatim_op op,
                                        uint64_t object);

/* The violations so far; valid until the next event. */
SERIATIM_API size_t seriatim_monitor_violation_count(const seriatim_monitor *monitor);
SERIATIM_API const seriatim_violation *seriatim_monitor_violation(const seriatim_monitor *monitor,
                                                                  size_t index);

/* How many events were ignored, and what was wrong with the first. */
SERIATIM_API uint64_t seriatim_monitor_ignored(const seriatim_monitor *monitor);
SERIATIM_API const char *seriatim_monitor_complaint(const seriatim_monitor *monitor);

/* --- traces ------------------------------------------------------------ */

typedef struct seriatim_trace seriatim_trace;

/* thread and object are numbers that a monitor can be given as they are. Texts
 * are valid as long as the trace is open. */
typedef struct seriatim_event {
    uint64_t number;
    seriatim_op op;
    uint64_t thread, object;
    const char *thread_name, *object_name; /* "" for no object */
    const char *location;                  /* "" where it is not known */
} seriatim_event;

/*
 * Opens a trace file ("-" is standard input): text, native or RoadRunner log,
 * plain or compressed. Returns NULL on failure; then message, which has room
 * for size bytes and may be NULL, says why.
 */
SERIATIM_API seriatim_trace *seriatim_trace_open(const char *path, char *message, size_t size);
SERIATIM_API void seriatim_trace_close(seriatim_trace *trace);

/* 1: *event is the next event; 0: the trace ended; -1: it is damaged or breaks a
 * rule, and seriatim_trace_problem says where. */
SERIATIM_API int seriatim_trace_next(seriatim_trace *trace, seriatim_event *event);
SERIATIM_API const char *seriatim_trace_problem(const seriatim_trace *trace);

/* "0.1.0" */
SERIATIM_API const char *seriatim_version(void);

#ifdef __cplusplus
}
#endif

#endif
