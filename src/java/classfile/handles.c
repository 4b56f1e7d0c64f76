/* SPDX-License-Identifier: MIT */
/*
 * Handles of fields and elements: VarHandle, field updaters, atomic arrays.
 *
 * Where a handle is made, a hook notes the class and the name of its field. Where it is used, the
 * first arguments are kept until the call is over: the object, and the index of an element.
 */
#include "java/classfile/calls.h"
#include "java/classfile/format/opcodes.h"

#define ATOMIC "java/util/concurrent/atomic/Atomic"

enum { INVOKE = 3, OP_ICONST_M1 = 0x02, OP_ICONST_1 = 0x04 };

static bool is_updater(ser_class_text owner)
{
    return ser_class_text_is(owner, ATOMIC "IntegerFieldUpdater") ||
           ser_class_text_is(owner, ATOMIC "LongFieldUpdater") ||
           ser_class_text_is(owner, ATOMIC "ReferenceFieldUpdater");
}

static bool is_array(ser_class_text owner)
{
    return ser_class_text_is(owner, ATOMIC "IntegerArray") ||
           ser_class_text_is(owner, ATOMIC "LongArray") ||
           ser_class_text_is(owner, ATOMIC "ReferenceArray");
}

static bool is_var_handle(ser_class_text owner)
{
    return ser_class_text_is(owner, "java/lang/invoke/VarHandle");
}

/* --- where they are made ----------------------------------------------------------- */

/* Which local variable has the field's name; 0: it makes no handle, ELEMENTS: there is none. */
enum { ELEMENTS = 255 };
static uint32_t find_name(const ser_member *called)
{
    if (is_updater(called->owner) && ser_class_text_is(called->name, "newUpdater"))
        return ser_class_text_starts(called->descriptor, "(Ljava/lang/Class;Ljava/lang/Class;") ? 3
                                                                                                : 2;
    if (ser_class_text_is(called->owner, "java/lang/invoke/MethodHandles$Lookup") &&
        (ser_class_text_is(called->name, "findVarHandle") ||
         ser_class_text_is(called->name, "findStaticVarHandle")))
        return 2;
    if (ser_class_text_is(called->owner, "java/lang/invoke/MethodHandles") &&
        ser_class_text_is(called->name, "arrayElementVarHandle"))
        return ELEMENTS;
    return 0;
}

static void weave_making(ser_weave *weave, uint32_t at, const ser_call_arguments *list,
                         uint32_t name)
{
    ser_call_arguments_put_aside(weave, list);
    ser_call_arguments_take_back(weave, list);
    ser_weave_old(weave, at, INVOKE);
    ser_weave_op(weave, OP_DUP);
    ser_weave_load(weave, SER_VALUE_OBJECT, 1);
    if (name == ELEMENTS)
        ser_weave_op(weave, OP_ACONST_NULL);
    else
        ser_weave_load(weave, SER_VALUE_OBJECT, name);
    ser_weave_hook(weave, SER_HOOK_HANDLE_MADE);
    ser_weave_needs_stack(weave, 4);
}

/* --- where they are used ------------------------------------------------------------ */

/* SER_CLASS_PLACE: it is no access. */
static ser_class_site_kind kind_of(ser_class_text name)
{
    static const char *const updates[] = {"getAnd",       "compareAnd",       "weakCompareAnd",
                                          "addAndGet",    "incrementAndGet",  "decrementAndGet",
                                          "updateAndGet", "accumulateAndGet", NULL};
    static const char *const reads[] = {"get",        "getVolatile", "getOpaque",
                                        "getAcquire", "getPlain",    NULL};
    static const char *const writes[] = {"set",      "setVolatile", "setOpaque", "setRelease",
                                         "setPlain", "lazySet",     NULL};
    for (const char *const *update = updates; *update; update++)
        if (ser_class_text_starts(name, *update))
            return SER_CLASS_READ_WRITE;
    for (const char *const *read = reads; *read; read++)
        if (ser_class_text_is(name, *read))
            return SER_CLASS_READ;
    for (const char *const *write = writes; *write; write++)
        if (ser_class_text_is(name, *write))
            return SER_CLASS_WRITE;
    return SER_CLASS_PLACE;
}

/* An object, if that is the first argument, and an index, if that is the next one. */
static void push_coordinates(ser_weave *weave, const ser_call_arguments *list, bool of_array)
{
    bool has_object = !of_array && list->count > 0 && list->kinds[0] == SER_VALUE_OBJECT;
    uint32_t index = of_array ? 0 : 1;
    if (has_object)
        ser_weave_load(weave, SER_VALUE_OBJECT, 1);
    else
        ser_weave_op(weave, OP_ACONST_NULL);
    if ((of_array || has_object) && index < list->count && list->kinds[index] == SER_VALUE_INT)
        ser_weave_load(weave, SER_VALUE_INT, 1 + index);
    else
        ser_weave_op(weave, OP_ICONST_M1);
}

/* The result of a call that may fail is kept behind the arguments. */
static uint32_t words_of(const ser_call_arguments *list)
{
    uint32_t words = 1;
    for (uint32_t i = 0; i < list->count; i++)
        words += ser_value_words(list->kinds[i]);
    return words;
}

static void weave_use(ser_weave *weave, uint32_t at, const ser_member *called,
                      const ser_call_arguments *list, uint32_t site)
{
    bool may_fail = ser_call_may_fail(called, list);
    ser_weave_hook(weave, SER_HOOK_STEP);
    ser_call_arguments_put_aside(weave, list);
    ser_weave_op(weave, OP_DUP);
    ser_weave_store(weave, SER_VALUE_OBJECT, 0);
    ser_call_arguments_take_back(weave, list);
    ser_weave_old(weave, at, INVOKE);
    if (may_fail) {
        ser_weave_op(weave, OP_DUP);
        ser_weave_store(weave, SER_VALUE_INT, words_of(list));
    }
    ser_weave_load(weave, SER_VALUE_OBJECT, 0);
    push_coordinates(weave, list, is_array(called->owner));
    if (may_fail)
        ser_weave_load(weave, SER_VALUE_INT, words_of(list));
    else
        ser_weave_op(weave, OP_ICONST_1);
    ser_weave_hook_at(weave, SER_HOOK_HANDLE_OPERATED, site);
    ser_weave_needs_stack(weave, 7);
}

bool ser_weave_handle(ser_weave *weave, uint32_t at, const ser_member *called)
{
    ser_call_arguments list;
    uint32_t name = find_name(called);
    bool is_used =
        weave->code[at] == OP_INVOKEVIRTUAL &&
        (is_updater(called->owner) || is_array(called->owner) || is_var_handle(called->owner));
    if ((!name && !is_used) || !ser_call_arguments_read(called->descriptor, &list))
        return false;
    if (name) {
        weave_making(weave, at, &list, name);
        return true;
    }
    ser_class_site_kind kind = kind_of(called->name);
    if (kind == SER_CLASS_PLACE)
        return false;
    weave_use(weave, at, called, &list, ser_weave_site(weave, at, kind, false, called));
    return true;
}
