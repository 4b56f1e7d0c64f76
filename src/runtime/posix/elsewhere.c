/* SPDX-License-Identifier: MIT */
#include "runtime/posix/elsewhere.h"

#include "runtime/core/turns/token.h"

bool ser_go_elsewhere(void)
{
    ser_thread *me = ser_is_off ? 0 : ser_enter();
    if (!me)
        return false;
    if (!ser_the_world.parallel)
        ser_token_release(me);
    __atomic_store_n(&me->inside, SER_ELSEWHERE, __ATOMIC_RELEASE);
    return true;
}

bool ser_come_back(void)
{
    ser_thread *me = ser_self;
    if (me->inside != SER_ELSEWHERE)
        return false;
    ser_leave(me);
    return true;
}
