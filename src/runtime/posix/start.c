/* SPDX-License-Identifier: MIT */
/*
 * The beginning and the end of the program: its first call, fork, exit.
 *
 * Without a channel that is ours nothing is ever recorded, and all threads stay
 * ser_nobody. A forked child becomes like that, too.
 */
#include <stdlib.h>
#include <unistd.h>

#include "runtime/access/globals.h"
#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/elide/frozen.h"
#include "runtime/posix/cancel.h"
#include "runtime/posix/inputs/inputs.h"
#include "runtime/posix/start.h"
#include "runtime/posix/streams/streams.h"
#include "runtime/posix/thread.h"

static ser_runtime_world *const world = &ser_the_world;

/* Declared in contract/abi.h. Instrumented code reads it; ser_is_off is the runtime's own copy. */
extern SER_EXPORT uint8_t __seriatim_unrecorded;
uint8_t __seriatim_unrecorded;

void ser_stop_in_child(void)
{
    ser_cancel_hand_back(ser_self);
    ser_self = &ser_stranger;
    world->channel = 0;
    world->recording = false;
    ser_log_wanted = 0;
    ser_is_off = true;
    __seriatim_unrecorded = 1;
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    ser_write_end(0, (uint64_t)status);
}

SER_EXPORT __attribute__((noreturn)) void _exit(int status)
{
    ser_write_end(1, (uint64_t)status);
    for (;;)
        ser_sys(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

SER_EXPORT __attribute__((noreturn)) void _Exit(int status)
{
    _exit(status);
}

void ser_started(void)
{
    world->foreign_heap = ser_heap_is_foreign();
    if (world->parallel)
        ser_freeze_constants();
    ser_globals_locate();
    ser_unwinder_find();
    ser_inputs_start();
    ser_thread_key();
    pthread_atfork(ser_outside_meets_child, 0, ser_stop_in_child);
    on_exit(at_exit, 0);
    ser_thread_adopt();
}

/* Runs before main: there are no other threads yet. */
__attribute__((constructor(101))) static void begin(void)
{
    ser_start();
}

/* What is called here may come back, through a malloc of the program's own: nothing of that is
 * recorded. */
void ser_start(void)
{
    static bool started;
    ser_real_find();
    if (started || !environ)
        return;
    started = true;
    ser_self = &ser_stranger;
    ser_attach();
    if (ser_is_off) {
        ser_self = &ser_nobody;
        __seriatim_unrecorded = 1;
    }
}

/* The constructors of a program that was compiled for the TSan ABI come first in its own order. */
void __tsan_init(void);
SER_EXPORT void __tsan_init(void)
{
    ser_start();
}
