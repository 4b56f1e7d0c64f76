/* SPDX-License-Identifier: MIT */
/*
 * Accesses of fields and elements: a step before, and the record of what was read or written after.
 * If the access throws an exception there is no record, and nothing is left to be undone.
 */
#include "java/classfile/format/opcodes.h"
#include "java/classfile/weave.h"

static void copy_below(ser_weave *weave, ser_value_kind kind, uint32_t one_word, uint32_t two_words)
{
    ser_weave_op(weave, ser_value_words(kind) == 2 ? two_words : one_word);
}

/* object -> value */
static void weave_getfield(ser_weave *weave, uint32_t at, ser_value_kind kind, uint32_t site)
{
    ser_weave_op(weave, OP_DUP);
    ser_weave_old(weave, at, 3);
    copy_below(weave, kind, OP_DUP_X1, OP_DUP2_X1);
    ser_weave_hook_at(weave, (ser_hook)(SER_HOOK_FIELD_INT + kind), site);
}

/* object, value -> */
static void weave_putfield(ser_weave *weave, uint32_t at, ser_value_kind kind, uint32_t site)
{
    ser_weave_store(weave, kind, 0);
    ser_weave_op(weave, OP_DUP);
    ser_weave_load(weave, kind, 0);
    ser_weave_old(weave, at, 3);
    ser_weave_load(weave, kind, 0);
    ser_weave_hook_at(weave, (ser_hook)(SER_HOOK_FIELD_INT + kind), site);
}

/* -> value */
static void weave_getstatic(ser_weave *weave, uint32_t at, ser_value_kind kind, uint32_t site)
{
    ser_weave_old(weave, at, 3);
    copy_below(weave, kind, OP_DUP, OP_DUP2);
    ser_weave_hook_at(weave, (ser_hook)(SER_HOOK_STATIC_INT + kind), site);
}

/* value -> */
static void weave_putstatic(ser_weave *weave, uint32_t at, ser_value_kind kind, uint32_t site)
{
    copy_below(weave, kind, OP_DUP, OP_DUP2);
    ser_weave_old(weave, at, 3);
    ser_weave_hook_at(weave, (ser_hook)(SER_HOOK_STATIC_INT + kind), site);
}

/* The compiler's own fields are set once, before another thread can see them, and so are final
 * ones: the machine sees to that. Those of the library belong to classes that are not rewritten. */
bool ser_weave_records_field(const ser_weave *weave, uint32_t at, const ser_member *field)
{
    bool this_is_new = weave->is_constructor && at < weave->initialised_at;
    bool is_static = weave->code[at] == OP_GETSTATIC || weave->code[at] == OP_PUTSTATIC;
    return !(is_static && weave->job->mode == SER_CLASS_OBJECTS) &&
           !ser_class_is_final(weave->job, field) && !ser_class_text_starts(field->name, "this$") &&
           !ser_class_text_starts(field->name, "val$") &&
           !ser_class_text_starts(field->name, "$") &&
           (!ser_class_text_starts(field->owner, "java/") ||
            ser_class_text_starts(weave->job->name, "java/")) &&
           !(weave->code[at] == OP_PUTFIELD && this_is_new);
}

/* object -> value. Many paths lead to the result of a future: of its own and of those that depend
 * on it, in whatever thread. */
bool ser_weave_library_read(ser_weave *weave, uint32_t at)
{
    ser_member field = ser_pool_member(&weave->job->pool, ser_peek_2(weave->code + at + 1));
    if (!ser_class_text_is(field.owner, "java/util/concurrent/CompletableFuture") ||
        !ser_class_text_is(field.name, "result"))
        return false;
    ser_weave_op(weave, OP_DUP);
    ser_weave_old(weave, at, 3);
    ser_weave_op(weave, OP_DUP_X1);
    ser_weave_hook(weave, SER_HOOK_RESULT);
    ser_weave_needs_stack(weave, 2);
    return true;
}

static bool weave_field(ser_weave *weave, uint32_t at)
{
    static void (*const weavers[])(ser_weave *, uint32_t, ser_value_kind, uint32_t) = {
        weave_getstatic, weave_putstatic, weave_getfield, weave_putfield};
    uint32_t op = weave->code[at];
    ser_member field = ser_pool_member(&weave->job->pool, ser_peek_2(weave->code + at + 1));
    if (field.descriptor.length == 0 || !ser_weave_records_field(weave, at, &field))
        return false;
    bool writes = op == OP_PUTSTATIC || op == OP_PUTFIELD;
    uint32_t site =
        ser_weave_site(weave, at, writes ? SER_CLASS_WRITE : SER_CLASS_READ, false, &field);
    ser_weave_hook(weave, SER_HOOK_STEP);
    weavers[op - OP_GETSTATIC](weave, at, ser_value_kind_of(field.descriptor.bytes[0]), site);
    ser_weave_needs_stack(weave, 5);
    return true;
}

/* array, index -> value; array, index, value -> */
static bool weave_element(ser_weave *weave, uint32_t at)
{
    static const char kinds[] = "IJFDLBCS"; /* in the order of the instructions */
    uint32_t op = weave->code[at];
    bool writes = op >= OP_IASTORE;
    ser_value_kind kind = ser_value_kind_of(kinds[op - (writes ? OP_IASTORE : OP_IALOAD)]);
    uint32_t site =
        ser_weave_site(weave, at, writes ? SER_CLASS_WRITE : SER_CLASS_READ, false, NULL);
    ser_weave_hook(weave, SER_HOOK_STEP);
    if (writes)
        ser_weave_store(weave, kind, 0);
    ser_weave_op(weave, OP_DUP2);
    if (writes)
        ser_weave_load(weave, kind, 0);
    ser_weave_old(weave, at, 1);
    if (writes)
        ser_weave_load(weave, kind, 0);
    else
        copy_below(weave, kind, OP_DUP_X2, OP_DUP2_X2);
    ser_weave_hook_at(weave, (ser_hook)(SER_HOOK_ELEMENT_INT + kind), site);
    ser_weave_needs_stack(weave, 6);
    return true;
}

bool ser_weave_access(ser_weave *weave, uint32_t at)
{
    uint32_t op = weave->code[at];
    if (op >= OP_GETSTATIC && op <= OP_PUTFIELD)
        return weave_field(weave, at);
    bool is_element =
        (op >= OP_IALOAD && op <= OP_SALOAD) || (op >= OP_IASTORE && op <= OP_SASTORE);
    return is_element && weave_element(weave, at);
}
