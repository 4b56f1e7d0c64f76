/* SPDX-License-Identifier: MIT */
/*
 * checker/operations.h - inside of the checker: the meaning of each operation.
 *
 * The one list of operations that the checker has. It does not use the roles of trace/event.h, on
 * purpose: a wrong role would make engines and checker wrong together. An operation with the same
 * meaning as another one is a line here; the rules are written for the others.
 */
#ifndef SER_WITNESS_CHECKER_OPERATIONS_H
#define SER_WITNESS_CHECKER_OPERATIONS_H

#include "trace/event.h"

/* The operation whose rules it follows. Without a default, so that the compiler warns about
 * operations that are not listed. */
static inline ser_op ser_checked_op(const ser_event *event)
{
    switch ((ser_op)event->op) {
    case SER_OP_SKIP:
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
    case SER_OP_ACQUIRE:
    case SER_OP_RELEASE:
    case SER_OP_SHARED_ACQUIRE:
    case SER_OP_SHARED_RELEASE:
    case SER_OP_TRY_FAILED:
    case SER_OP_FORK:
    case SER_OP_JOIN:
    case SER_OP_BEGIN:
    case SER_OP_END:
    case SER_OP_WAIT:
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
    case SER_OP_ARRIVE:
    case SER_OP_DEPART:
    case SER_OP_POST:
    case SER_OP_TAKE:
    case SER_OP_CALL:
    case SER_OP_RETURN:
        return (ser_op)event->op;
    case SER_OP_FREE:
        return SER_OP_WRITE;
    case SER_OP_COUNT:
        break;
    }
    return SER_OP_SKIP; /* there is no such operation */
}

static inline bool ser_checked_is_access(const ser_event *event)
{
    ser_op op = ser_checked_op(event);
    return op == SER_OP_READ || op == SER_OP_WRITE || op == SER_OP_RMW;
}

#endif
