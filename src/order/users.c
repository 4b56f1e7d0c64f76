/* SPDX-License-Identifier: MIT */
#include "order/users.h"

void ser_user_add(ser_user *user, const ser_event *event)
{
    if (!user->thread)
        user->thread = event->thread + 1;
    else if (user->thread != event->thread + 1)
        user->thread = SER_SEVERAL_USERS;
    user->is_written |= ser_op_writes((ser_op)event->op);
    user->is_freed |= ser_op_frees((ser_op)event->op);
}

void ser_users_add(ser_users *users, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        ser_user_add(ser_vector_slot(&users->variables, event->object), event);
        users->have_values |= event->flow != 0 || (event->flags & SER_EVENT_HAS_VALUE);
    }
}

void ser_users_fini(ser_users *users)
{
    ser_vector_free(&users->variables);
}

bool ser_user_needs(const ser_user *user, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    bool is_bound = event->flags & (SER_EVENT_OPENS | SER_EVENT_CLOSES);
    if (is_bound && !(event->flags & SER_EVENT_STEP))
        return true;
    if (!ser_op_is_access(op))
        return ser_op_takes_part(op) && !ser_op_has(op, SER_OPENS | SER_CLOSES);
    return (event->flags & SER_EVENT_LATE) || user->is_freed ||
           (user->thread == SER_SEVERAL_USERS && user->is_written);
}

bool ser_users_need(const ser_users *users, const ser_event *event)
{
    bool is_access = ser_op_is_access((ser_op)event->op);
    return ser_user_needs(is_access ? &users->variables.items[event->object] : NULL, event);
}
