/* SPDX-License-Identifier: MIT */
/*
 * platform.h - what the core asks of the kind of program that is recorded.
 *
 * The core (this folder) has threads, turns, records and waits, but does not know how a program
 * makes threads, nor how it accesses memory, nor what need not be recorded of that. The program
 * that links it defines ser_the_platform; every function must be set. For programs of C and C++
 * that is posix/platform.c. Functions are called inside the runtime unless it is said otherwise.
 */
#ifndef SER_RUNTIME_CORE_PLATFORM_H
#define SER_RUNTIME_CORE_PLATFORM_H

#include "runtime/core/turns/objects.h"

typedef struct ser_platform {
    /* The real time, also while a replay gives the program recorded times. Callable from
     * anywhere. */
    void (*now)(clockid_t clock, struct timespec *now);
    /* Runs a function in a thread of the runtime's own: detached, with all signals blocked; it
     * sets ser_self to ser_stranger. */
    void (*run_aside)(void *(*run)(void *));

    /* ser_attach has found a channel. */
    void (*attached)(void);
    /* The calling thread, not inside, is ser_nobody: registers it. False if that is not
     * possible. */
    bool (*meets_thread)(void);
    /* A thread has its number: sets its stamp, and what it must record in full (SER_KEEP_*). */
    void (*thread_made)(ser_thread *thread);

    /* A synchronisation object lies there: records what the recorder must know of its memory
     * first. False if accesses there were elided: then the object counts as new. */
    bool (*reveals)(ser_thread *me, uintptr_t object);
    /* Records a write that was announced, if there is one (SER_PENDING). */
    void (*write_pending)(ser_thread *me);
    /* The thread that holds a lock; null if none does, or it is not known. */
    ser_thread *(*holder)(const ser_runtime_object *object);

    /* The thread has the token, makes no event and sleeps in the kernel: will it go on by itself,
     * so that it should keep the token? With ser_runtime_world.lock. */
    bool (*goes_on)(const ser_thread *holder);

    /* The process ends (ser_runtime_world.ended), and the calling thread sleeps in the runtime: it
     * may sleep for ever where it does not hinder that end, or return. */
    void (*rests)(void);

    /* May the calling thread be cancelled now? */
    bool (*is_cancellable)(void);
    /* Cancels the thread if it was asked for; else true if it was not inside meanwhile. */
    bool (*cancel_point)(ser_thread *me);
    /* The same for one that may be cancelled at any place (ser_thread.async) and has entered. */
    void (*cancel_at_entry)(ser_thread *me);
    /* Control arrives from deeper frames (longjmp, exception), perhaps out of a signal handler.
     * Not inside. */
    void (*arrives)(void);
    /* Signals were deferred (ser_thread.defers): their handlers run now. Not inside, or asleep. */
    void (*handles_deferred)(ser_thread *me);
    /* Has the program signal handlers? */
    bool (*has_handlers)(void);
    /* Might a signal arrive without a thread sending it, and end a wait? */
    bool (*may_be_rescued)(void);
    /* True if threads that the runtime does not know cannot end a wait of a known one. Otherwise
     * there is no deadlock as long as such a thread exists. */
    bool (*knows_all)(void);
    /* Called periodically by the watchdog. */
    void (*looks)(void);
} ser_platform;

extern const ser_platform ser_the_platform;

/* start.c: attaches to the recorder's channel, if there is one that no process has claimed; else
 * sets ser_is_off. Once. */
void ser_attach(void);
/* The last record: the program ends (SER_RAW_END). */
void ser_write_end(uint64_t how, uint64_t status);

#endif
