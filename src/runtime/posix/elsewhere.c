/* SPDX-License-Identifier: MIT */
#include "runtime/posix/elsewhere.h"

#include "runtime/core/turns/token.h"
#include "runtime/posix/thread.h"

bool ser_go_elsewhere(void)
{
    ser_thread *me = ser_self;
    if (ser_is_off || me->inside == SER_INSIDE)
        return false;
    if (me->inside == SER_PENDING && !ser_enter()) /* its last write */
        return false;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    ser_token_let_go(me); /* without waiting for a turn: there may be none for long */
    __atomic_store_n(&me->inside, SER_ELSEWHERE, __ATOMIC_RELEASE);
    return true;
}

bool ser_come_back(void)
{
    ser_thread *me = ser_self;
    if (me->inside != SER_ELSEWHERE)
        return false;
    ser_leave(me);
    ser_thread_helped(me);
    return true;
}

bool ser_is_elsewhere(void)
{
    const ser_thread *me = ser_self;
    return !ser_is_off && (me == &ser_stranger || me->inside == SER_ELSEWHERE);
}
