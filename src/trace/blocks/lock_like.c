/* SPDX-License-Identifier: MIT */
#include "trace/blocks/lock_like.h"

static void take(ser_semaphore_use *use, uint32_t thread)
{
    use->is_message |= use->holder != 0 || use->has_more;
    use->holder = thread + 1;
    use->was_taken = true;
}

/* What is put beside it counts only if somebody takes again: the end of a stream, say, when main
 * closes the pipe after all others. */
static void post(ser_semaphore_use *use, uint32_t thread)
{
    if ((use->was_taken || use->is_made_free) && use->holder == 0)
        use->has_more = true;
    else if (use->was_taken)
        use->is_message |= use->holder != thread + 1;
    else
        use->is_made_free = true;
    use->is_put_back |= use->was_taken;
    use->holder = 0;
}

void ser_semaphore_uses_see(ser_semaphore_uses *uses, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (ser_op_takes(op))
        take(ser_vector_slot(uses, event->object), event->thread);
    else if (ser_op_posts(op))
        post(ser_vector_slot(uses, event->object), event->thread);
}

bool ser_semaphore_uses_lock(const ser_semaphore_uses *uses, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    return (ser_op_takes(op) || ser_op_posts(op)) && event->object < uses->count &&
           uses->items[event->object].is_put_back && !uses->items[event->object].is_message;
}

ser_event ser_semaphore_as_lock(const ser_event *event)
{
    static const uint32_t behind_all_locks = UINT32_C(1) << 30;
    ser_event made = *event;
    made.op = ser_op_takes((ser_op)event->op) ? SER_OP_ACQUIRE : SER_OP_RELEASE;
    made.object |= behind_all_locks;
    made.flow = 0;
    return made;
}
