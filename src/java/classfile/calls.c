/* SPDX-License-Identifier: MIT */
/*
 * Calls: of methods that wait or wake, for which a hook is called instead; of operations on whole
 * objects of the library, which are one event; and of threads that start or are joined.
 */
#include "java/classfile/calls.h"

#include "java/classfile/format/opcodes.h"

enum { INVOKE = 3, INVOKE_INTERFACE = 5 };

static uint32_t length_of_call(uint32_t op)
{
    return op == OP_INVOKEINTERFACE ? INVOKE_INTERFACE : INVOKE;
}

/* Does the method ask whether a stamp is valid, and look at the answer? */
static bool validates(const ser_weave *weave)
{
    for (uint32_t at = 0, size; at < weave->length; at += size) {
        size = ser_code_length(weave->code, weave->length, at);
        if (weave->code[at] != OP_INVOKEVIRTUAL)
            continue;
        ser_member called = ser_pool_member(&weave->job->pool, ser_peek_2(weave->code + at + 1));
        bool asks = ser_class_text_is(called.name, "validate") ||
                    ser_class_text_starts(called.name, "tryConvertTo");
        bool ignores = at + size < weave->length && weave->code[at + size] == OP_POP;
        if (asks && !ignores && ser_class_text_is(called.owner, SER_STAMPED_LOCK))
            return true;
    }
    return false;
}

static ser_hook hook_of(const ser_weave *weave, const ser_replaced_call *rule)
{
    return rule->hook == SER_HOOK_STAMPED_OPTIMISTIC && !validates(weave)
               ? SER_HOOK_STAMPED_OPTIMISTIC_ONLY
               : rule->hook;
}

/* Of an atomic reference, by a function. */
static bool is_update(ser_hook hook)
{
    return hook >= SER_HOOK_UPDATE_OBJECT && hook <= SER_HOOK_GET_ACCUMULATE_OBJECT;
}

static void replace(ser_weave *weave, uint32_t at, const ser_replaced_call *rule,
                    const ser_member *called)
{
    bool updates = is_update(rule->hook);
    if (rule->without_site)
        ser_weave_hook(weave, rule->hook);
    else
        ser_weave_hook_at(weave, hook_of(weave, rule),
                          ser_weave_site(weave, at,
                                         updates ? SER_CLASS_READ_WRITE : SER_CLASS_PLACE, false,
                                         updates ? called : NULL));
    ser_weave_needs_stack(weave, 1);
}

/* --- operations ------------------------------------------------------------------- */

bool ser_call_arguments_read(ser_class_text descriptor, ser_call_arguments *list)
{
    const char *at = descriptor.bytes, *end = at + descriptor.length;
    list->count = 0;
    if (at == end || *at++ != '(')
        return false;
    while (at < end && *at != ')') {
        if (list->count == SER_MOST_ARGUMENTS)
            return false;
        list->kinds[list->count++] = ser_value_kind_of(*at);
        while (at < end && *at == '[')
            at++;
        if (at < end && *at == 'L')
            while (at < end && *at != ';')
                at++;
        at += at < end;
    }
    list->result = at + 1 < end ? at[1] : 0;
    return list->result != 0;
}

void ser_call_arguments_put_aside(ser_weave *weave, const ser_call_arguments *list)
{
    uint32_t local = 1;
    for (uint32_t i = 0; i < list->count; i++)
        local += ser_value_words(list->kinds[i]);
    for (uint32_t i = list->count; i > 0; i--) {
        local -= ser_value_words(list->kinds[i - 1]);
        ser_weave_store(weave, list->kinds[i - 1], local);
    }
}

void ser_call_arguments_take_back(ser_weave *weave, const ser_call_arguments *list)
{
    uint32_t local = 1;
    for (uint32_t i = 0; i < list->count; i++) {
        ser_weave_load(weave, list->kinds[i], local);
        local += ser_value_words(list->kinds[i]);
    }
}

bool ser_call_may_fail(const ser_member *called, const ser_call_arguments *list)
{
    return list->result == 'Z' && (ser_class_text_starts(called->name, "compareAndSet") ||
                                   ser_class_text_starts(called->name, "weakCompareAndSet") ||
                                   ser_class_text_starts(called->name, "attempt"));
}

/* Local variables from 1 on are the arguments: keys, and what is expected, are objects. */
static void weave_early(ser_weave *weave, const ser_call_arguments *list, ser_operation does,
                        uint32_t site)
{
    static const ser_hook hooks[] = {
        [SER_OTHER_NONE] = SER_HOOK_OPERATING,
        [SER_OTHER_LOOKED_AT] = SER_HOOK_OPERATING_WITH,
        [SER_OTHER_ADDED] = SER_HOOK_OPERATING_FROM,
    };
    ser_hook hook = does.keyed ? SER_HOOK_OPERATING_KEY : hooks[does.other];
    ser_call_arguments_put_aside(weave, list);
    ser_weave_op(weave, OP_DUP);
    if (does.keyed || does.other != SER_OTHER_NONE)
        ser_weave_load(weave, SER_VALUE_OBJECT, 1);
    if (does.expects != SER_EXPECTS_ANYTHING) {
        hook = SER_HOOK_OPERATING_IF;
        if (does.expects == SER_EXPECTS_ARGUMENT)
            ser_weave_load(weave, SER_VALUE_OBJECT, 2);
        else
            ser_weave_op(weave, OP_ACONST_NULL);
    }
    ser_weave_hook_at(weave, hook, site);
    ser_call_arguments_take_back(weave, list);
}

/* The object is kept in a local variable until the call is over. */
static void weave_late(ser_weave *weave, uint32_t at, const ser_member *called,
                       const ser_call_arguments *list, uint32_t site)
{
    ser_call_arguments_put_aside(weave, list);
    ser_weave_op(weave, OP_DUP);
    ser_weave_store(weave, SER_VALUE_OBJECT, 0);
    ser_weave_op(weave, OP_DUP);
    ser_weave_hook_at(weave, SER_HOOK_OPERATING, site);
    ser_call_arguments_take_back(weave, list);
    ser_weave_old(weave, at, length_of_call(weave->code[at]));
    if (ser_call_may_fail(called, list)) {
        ser_weave_op(weave, OP_DUP);
        ser_weave_store(weave, SER_VALUE_INT, 1);
        ser_weave_load(weave, SER_VALUE_OBJECT, 0);
        ser_weave_load(weave, SER_VALUE_INT, 1);
        ser_weave_hook_at(weave, SER_HOOK_OPERATED_IF, site);
    } else {
        ser_weave_load(weave, SER_VALUE_OBJECT, 0);
        ser_weave_hook_at(weave, SER_HOOK_OPERATED, site);
    }
}

/* Is what the call returns not used? */
static bool is_result_unused(const ser_weave *weave, uint32_t at, const ser_call_arguments *list)
{
    uint32_t next = at + length_of_call(weave->code[at]);
    return list->result == 'V' || (next < weave->length && weave->code[next] == OP_POP);
}

static bool weave_operation(ser_weave *weave, uint32_t at, const ser_member *called)
{
    ser_call_arguments list;
    if (weave->code[at] == OP_INVOKESTATIC || weave->job->mode == SER_CLASS_OBJECTS ||
        !ser_call_arguments_read(called->descriptor, &list))
        return false;
    ser_operation does = ser_operation_of(called, is_result_unused(weave, at, &list));
    if (does.kind == SER_CLASS_PLACE)
        return false;
    if (weave->flows)
        weave->flows[at] |=
            (does.unasked ? SER_CLASS_UNASKED : 0) | (does.always ? SER_CLASS_DATA : 0);
    uint32_t site = ser_weave_site(weave, at, does.kind, does.early, called);
    ser_weave_needs_stack(weave, 5);
    if (does.early) {
        weave_early(weave, &list, does, site);
        ser_weave_old(weave, at, length_of_call(weave->code[at]));
    } else {
        weave_late(weave, at, called, &list, site);
    }
    return true;
}

/* --- locks of the program ------------------------------------------------------------- */

/* A class of the program may extend ReentrantLock, and redefine its methods: the hook looks how
 * often the thread has the lock then. */
static bool may_be_lock(const ser_weave *weave, uint32_t at, const ser_member *called)
{
    if (weave->code[at] != OP_INVOKEVIRTUAL || ser_class_text_starts(called->owner, "java/"))
        return false;
    if (ser_class_text_is(called->descriptor, "()Z"))
        return ser_class_text_is(called->name, "tryLock");
    return ser_class_text_is(called->descriptor, "()V") &&
           (ser_class_text_is(called->name, "lock") || ser_class_text_is(called->name, "unlock") ||
            ser_class_text_is(called->name, "lockInterruptibly"));
}

static bool weave_own_lock(ser_weave *weave, uint32_t at, const ser_member *called)
{
    if (!may_be_lock(weave, at, called))
        return false;
    uint32_t site = ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL);
    ser_weave_hook(weave, SER_HOOK_STEP);
    ser_weave_op(weave, OP_DUP);
    ser_weave_old(weave, at, INVOKE);
    if (ser_class_text_is(called->name, "tryLock"))
        ser_weave_op(weave, OP_SWAP);
    ser_weave_hook_at(weave, SER_HOOK_HELD, site);
    ser_weave_needs_stack(weave, 3);
    return true;
}

/* --- threads ------------------------------------------------------------------------ */

/* Any class may be one of threads: the hook looks. The real join comes after it, and has little
 * left to wait for. */
static void weave_join(ser_weave *weave, uint32_t at, bool timed)
{
    uint32_t site = ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL);
    if (timed)
        ser_weave_store(weave, SER_VALUE_LONG, 0);
    ser_weave_op(weave, OP_DUP);
    if (timed)
        ser_weave_load(weave, SER_VALUE_LONG, 0);
    ser_weave_hook_at(weave, timed ? SER_HOOK_JOIN_MILLIS : SER_HOOK_JOIN, site);
    ser_weave_old(weave, at, INVOKE);
    ser_weave_needs_stack(weave, 4);
}

/* Programs poll the states of threads. */
static bool looks_at_thread(const ser_member *called)
{
    return (ser_class_text_is(called->name, "isAlive") &&
            ser_class_text_is(called->descriptor, "()Z")) ||
           (ser_class_text_is(called->name, "getState") &&
            ser_class_text_is(called->descriptor, "()Ljava/lang/Thread$State;"));
}

static void weave_look(ser_weave *weave, uint32_t at)
{
    ser_weave_op(weave, OP_DUP);
    ser_weave_hook_at(weave, SER_HOOK_LOOKS,
                      ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL));
    ser_weave_needs_stack(weave, 2);
}

static bool weave_thread_call(ser_weave *weave, uint32_t at, const ser_member *called)
{
    if (weave->code[at] == OP_INVOKEVIRTUAL && looks_at_thread(called))
        weave_look(weave, at);
    bool no_arguments = ser_class_text_is(called->descriptor, "()V");
    bool timed = ser_class_text_is(called->descriptor, "(J)V");
    if (weave->code[at] != OP_INVOKEVIRTUAL || (!no_arguments && !timed))
        return false;
    if (ser_class_text_is(called->name, "join")) {
        weave_join(weave, at, timed);
        return true;
    }
    if (no_arguments && ser_class_text_is(called->name, "start")) {
        ser_weave_hook_at(weave, SER_HOOK_AT,
                          ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL));
        ser_weave_needs_stack(weave, 1);
    }
    return false;
}

/* Executors start threads and hand them what to run. */
static void weave_place(ser_weave *weave, uint32_t at, const ser_member *called)
{
    if (!ser_class_text_starts(called->owner, "java/util/concurrent/"))
        return;
    ser_weave_hook_at(weave, SER_HOOK_AT, ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL));
    ser_weave_needs_stack(weave, 1);
}

/* Which calls of the library have a task as their last argument, or as the object: a worker has it,
 * or it is handed to one. */
static ser_hook find_task_hook(const ser_member *called)
{
    if (ser_class_text_is(called->name, "beforeExecute"))
        return SER_HOOK_TAKEN;
    if (ser_class_text_is(called->owner, "java/util/TimerTask") &&
        ser_class_text_is(called->name, "run"))
        return SER_HOOK_TAKEN;
    if (ser_class_text_is(called->owner, "java/util/concurrent/Executor") &&
        ser_class_text_is(called->name, "execute"))
        return SER_HOOK_HANDED;
    return SER_HOOK_COUNT;
}

static void weave_task(ser_weave *weave, const ser_member *called)
{
    ser_hook hook = find_task_hook(called);
    if (hook == SER_HOOK_COUNT)
        return;
    ser_weave_op(weave, OP_DUP);
    ser_weave_hook(weave, hook);
    ser_weave_needs_stack(weave, 1);
}

/* The action of a barrier: the last thread that arrives runs it, before any thread goes on. */
static bool weave_barrier_action(ser_weave *weave, uint32_t at, const ser_member *called)
{
    if (!ser_class_text_is(weave->job->name, SER_CYCLIC_BARRIER) ||
        !ser_class_text_is(called->owner, "java/lang/Runnable"))
        return false;
    ser_weave_op(weave, OP_ALOAD_0);
    ser_weave_hook(weave, SER_HOOK_ACTING);
    ser_weave_old(weave, at, length_of_call(weave->code[at]));
    ser_weave_op(weave, OP_ALOAD_0);
    ser_weave_hook(weave, SER_HOOK_ACTED);
    ser_weave_needs_stack(weave, 1);
    return true;
}

/* They are refused: many of them share one thread of the machine. */
static bool makes_virtual_threads(const ser_member *called)
{
    if (ser_class_text_is(called->owner, "java/lang/Thread"))
        return ser_class_text_is(called->name, "ofVirtual") ||
               ser_class_text_is(called->name, "startVirtualThread");
    return ser_class_text_is(called->owner, "java/util/concurrent/Executors") &&
           ser_class_text_is(called->name, "newVirtualThreadPerTaskExecutor");
}

/* --- all calls ------------------------------------------------------------------------ */

bool ser_weave_call(ser_weave *weave, uint32_t at)
{
    uint32_t op = weave->code[at];
    if (op < OP_INVOKEVIRTUAL || op > OP_INVOKEINTERFACE || op == OP_INVOKESPECIAL)
        return false;
    ser_member called = ser_pool_member(&weave->job->pool, ser_peek_2(weave->code + at + 1));
    const ser_replaced_call *rule = ser_find_replaced(weave->job->mode, op, &called);
    if (rule)
        replace(weave, at, rule, &called);
    if (makes_virtual_threads(&called))
        ser_weave_hook(weave, SER_HOOK_REFUSE_VIRTUAL);
    if (!rule && weave->job->mode == SER_CLASS_CALLS) {
        if (weave_barrier_action(weave, at, &called))
            return true;
        weave_task(weave, &called);
    }
    if (rule || weave->job->mode == SER_CLASS_CALLS)
        return rule;
    if (weave_operation(weave, at, &called) || ser_weave_handle(weave, at, &called))
        return true;
    if (weave_own_lock(weave, at, &called) || weave_thread_call(weave, at, &called))
        return true;
    weave_place(weave, at, &called);
    return false;
}
