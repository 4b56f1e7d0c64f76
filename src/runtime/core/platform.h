/* SPDX-License-Identifier: MIT */
/*
 * platform.h - what the core asks of the kind of program that is recorded.
 *
 * The core (this folder) knows threads, turns, records and waits, but neither how a program makes
 * threads, nor how it accesses memory, nor what need not be recorded of that. Whoever links it
 * defines ser_the_platform; no function may be left out. For programs of C and C++ that is
 * posix/platform.c. Functions are called inside the runtime unless it is said otherwise.
 */
#ifndef SER_RUNTIME_CORE_PLATFORM_H
#define SER_RUNTIME_CORE_PLATFORM_H

#include "runtime/core/turns/objects.h"

typedef struct ser_platform {
    /* The real time, whatever the program is told. From anywhere. */
    void (*now)(clockid_t clock, struct timespec *now);
    /* Runs a function in a thread of the runtime's own, which nobody waits for and no signal
     * reaches; it sets ser_self to ser_stranger. */
    void (*run_aside)(void *(*run)(void *));

    /* ser_attach has found a channel. */
    void (*attached)(void);
    /* The calling thread, not inside, is ser_nobody: makes it known. False if it cannot be. */
    bool (*meets_thread)(void);
    /* A thread has its number: its stamp is set, and what it keeps (SER_KEEP_*). */
    void (*thread_made)(ser_thread *thread);

    /* An object of synchronisation lies there: tells what must be told of its memory. False if
     * accesses there were left out, so that it is new. */
    bool (*reveals)(ser_thread *me, uintptr_t object);
    /* Records a write that was announced, if there is one (SER_PENDING). */
    void (*write_pending)(ser_thread *me);
    /* Who holds a lock, as far as one can know; null if nobody or unknown. */
    ser_thread *(*holder)(const ser_runtime_object *object);

    /* May the calling thread be cancelled now? */
    bool (*is_cancellable)(void);
    /* Cancels the thread if it was asked for; else true if it was not inside meanwhile. */
    bool (*cancel_point)(ser_thread *me);
    /* The same for one that may be cancelled at any place (ser_thread.async) and has entered. */
    void (*cancel_at_entry)(ser_thread *me);
    /* Control comes from deeper frames, perhaps out of a signal handler. Not inside. */
    void (*arrives)(void);
    /* Has the program signal handlers? */
    bool (*has_handlers)(void);
    /* Might one come by itself, and end a wait? */
    bool (*may_be_rescued)(void);
    /* Are the threads that the runtime does not know unable to end a wait of those it knows? Else,
     * as long as there is one, nothing is a deadlock. */
    bool (*knows_all)(void);
    /* Now and then, by the watchdog. */
    void (*looks)(void);
} ser_platform;

extern const ser_platform ser_the_platform;

/* start.c: attaches to the recorder's channel, if there is one that nobody has; else ser_is_off is
 * set. Once. */
void ser_attach(void);
/* The last record: the program ends (SER_RAW_END). */
void ser_write_end(uint64_t how, uint64_t status);

#endif
