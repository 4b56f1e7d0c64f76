/* SPDX-License-Identifier: MIT */
/*
 * Calls that may block: the thread gives up the token, calls, and gets the token again when it
 * enters the runtime the next time. They are generated from the table in real.h; calls that receive
 * and send are in streams/.
 */
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/posix/sync/sync.h"

static void go_outside(ser_thread *me)
{
    if (!me)
        return;
    ser_token_release(me);
    ser_leave(me);
}

static bool runs_serially(void)
{
    return ser_the_world.channel && !ser_the_world.parallel && ser_self->inside != SER_INSIDE;
}

#define SER_X(result, name, parameters, arguments, test)                                           \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        if (runs_serially() && (test))                                                             \
            go_outside(ser_enter());                                                               \
        ser_real_find();                                                                           \
        return ser_real.name arguments;                                                            \
    }
SER_REAL_OUTSIDE(SER_X)
#undef SER_X
