/* SPDX-License-Identifier: MIT */
/*
 * Loops that only look: they read variables, and change none, nor do they call anything but
 * Thread.yield and its kind. What they look for must come from another thread.
 */
#include "java/classfile/format/opcodes.h"
#include "java/classfile/weave.h"

static bool is_read(uint32_t op)
{
    return op == OP_GETSTATIC || op == OP_GETFIELD || (op >= OP_IALOAD && op <= OP_SALOAD);
}

/* Thread.yield, onSpinWait, sleep */
static bool is_pause(const ser_weave *weave, uint32_t at)
{
    if (weave->code[at] != OP_INVOKESTATIC)
        return false;
    ser_member called = ser_pool_member(&weave->job->pool, ser_peek_2(weave->code + at + 1));
    return ser_class_text_is(called.owner, "java/lang/Thread") &&
           (ser_class_text_is(called.name, "yield") || ser_class_text_is(called.name, "sleep") ||
            ser_class_text_is(called.name, "onSpinWait"));
}

static bool acts(const ser_weave *weave, uint32_t at)
{
    uint32_t op = weave->code[at];
    if (op >= OP_INVOKEVIRTUAL && op <= OP_INVOKEDYNAMIC)
        return !is_pause(weave, at);
    return op == OP_PUTSTATIC || op == OP_PUTFIELD || (op >= OP_IASTORE && op <= OP_SASTORE) ||
           op == OP_MONITORENTER || op == OP_MONITOREXIT;
}

/* A branch goes back over nothing that acts, but over a read. */
bool ser_code_looks(const ser_weave *weave)
{
    int64_t last_read = -1, last_act = -1;
    for (uint32_t at = 0; at < weave->length;
         at += ser_code_length(weave->code, weave->length, at)) {
        uint32_t op = weave->code[at];
        if (acts(weave, at))
            last_act = at;
        if (is_read(op))
            last_read = at;
        if (!(op >= OP_IFEQ && op < OP_JSR) && op != OP_IFNULL && op != OP_IFNONNULL)
            continue;
        int64_t target = (int64_t)at + (int16_t)ser_peek_2(weave->code + at + 1);
        if (target >= 0 && target < at && last_read >= target && last_act < target)
            return true;
    }
    return false;
}
