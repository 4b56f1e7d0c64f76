/* SPDX-License-Identifier: MIT */
/*
 * Gates, and signals that are sent and awaited.
 *
 * A signal may be merged with others: which call has let a thread go on is not known. So a thread
 * that passes a gate takes all that was sent through it so far.
 */
#include <errno.h>
#include <unistd.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

void ser_stream_put(uint64_t gate, uint64_t amount, unsigned use)
{
    int saved = errno;
    ser_thread *me = gate && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        ser_put_stream(me, gate, amount, use);
        ser_leave_sync(me);
    }
    errno = saved;
}

void ser_gate_open(uint64_t gate)
{
    ser_stream_put(gate, 1, SER_STREAM_SENT);
}

void ser_gate_pass(uint64_t gate)
{
    ser_stream_put(gate, 0, SER_STREAM_RECEIVED);
}

void ser_stream_go_outside(void)
{
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me)
        ser_stream_leave_for_long(me);
}

void ser_outside_begin(bool blocks)
{
    ser_gate_open(ser_gate_outside());
    if (blocks)
        ser_stream_go_outside();
}

void ser_outside_meets_child(void)
{
    ser_gate_open(ser_gate_outside());
}

/* --- signals -------------------------------------------------------------------- */

#define SER_X(result, name, parameters, arguments)                                                 \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        ser_real_find();                                                                           \
        ser_stream_go_outside();                                                                   \
        result got = ser_real.name arguments;                                                      \
        ser_gate_pass(ser_gate_signals());                                                         \
        return got;                                                                                \
    }
SER_REAL_AWAITS(SER_X)
#undef SER_X

SER_EXPORT int raise(int number)
{
    ser_real_find();
    ser_gate_open(ser_gate_signals());
    return ser_real.raise(number);
}

SER_EXPORT int pthread_kill(pthread_t thread, int number)
{
    ser_real_find();
    ser_gate_open(ser_gate_signals());
    return ser_real.pthread_kill(thread, number);
}
