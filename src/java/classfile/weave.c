/* SPDX-License-Identifier: MIT */
/*
 * ser_weave_code goes through the instructions of a method once. What is recorded of a method
 * itself is here: its calls and returns, and the monitor of a synchronized one, which the method
 * takes by itself, so that a hook can come before.
 */
#include "java/classfile/weave.h"

#include <stdlib.h>

#include "java/classfile/format/opcodes.h"

enum { LONGEST_CODE = 65535, SHORT_NUMBER = 32768, CLASS_CONSTANTS_SINCE = 49 };

/* By convention: what interfaces of tasks call it, and what compilers make of lambda expressions.
 */
bool ser_class_is_work(ser_class_text method)
{
    static const char *const names[] = {"run", "call", "main", "compute", "exec"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ser_class_text_is(method, names[i]))
            return true;
    return ser_class_text_starts(method, "lambda$");
}

/* --- putting in ------------------------------------------------------------ */

void ser_weave_op(ser_weave *weave, uint32_t op)
{
    ser_bytes_1(&weave->out, op);
}

void ser_weave_old(ser_weave *weave, uint32_t at, uint32_t size)
{
    weave->placed[at] = (uint32_t)weave->out.count;
    ser_bytes_put(&weave->out, weave->code + at, size);
}

void ser_weave_number(ser_weave *weave, uint32_t value)
{
    bool is_short = value < SHORT_NUMBER;
    ser_weave_op(weave, is_short ? OP_SIPUSH : OP_LDC_W);
    ser_bytes_2(&weave->out, is_short ? value : ser_pool_add_number(&weave->job->pool, value));
}

void ser_weave_hook(ser_weave *weave, ser_hook hook)
{
    weave->changed = true;
    ser_weave_op(weave, OP_INVOKESTATIC);
    ser_bytes_2(&weave->out, ser_pool_hook(&weave->job->pool, hook));
}

void ser_weave_hook_at(ser_weave *weave, ser_hook hook, uint32_t site)
{
    ser_weave_number(weave, site);
    ser_weave_hook(weave, hook);
}

void ser_weave_needs_stack(ser_weave *weave, uint32_t words)
{
    if (weave->extra_stack < words)
        weave->extra_stack = words;
}

/* Opcodes of loads and stores follow each other in the order of ser_value_kind. */
static void use_local(ser_weave *weave, uint32_t first_op, ser_value_kind kind, uint32_t local)
{
    uint32_t number = weave->max_locals + local, end = local + ser_value_words(kind);
    if (weave->extra_locals < end)
        weave->extra_locals = end;
    if (number > UINT8_MAX)
        ser_weave_op(weave, OP_WIDE);
    ser_weave_op(weave, first_op + (uint32_t)kind);
    if (number > UINT8_MAX)
        ser_bytes_2(&weave->out, number);
    else
        ser_bytes_1(&weave->out, number);
}

void ser_weave_load(ser_weave *weave, ser_value_kind kind, uint32_t local)
{
    use_local(weave, OP_ILOAD, kind, local);
}

void ser_weave_store(ser_weave *weave, ser_value_kind kind, uint32_t local)
{
    use_local(weave, OP_ISTORE, kind, local);
}

ser_value_kind ser_value_kind_of(char descriptor)
{
    switch (descriptor) {
    case 'J':
        return SER_VALUE_LONG;
    case 'F':
        return SER_VALUE_FLOAT;
    case 'D':
        return SER_VALUE_DOUBLE;
    case 'L':
    case '[':
        return SER_VALUE_OBJECT;
    default:
        return SER_VALUE_INT;
    }
}

uint32_t ser_value_words(ser_value_kind kind)
{
    return kind == SER_VALUE_LONG || kind == SER_VALUE_DOUBLE ? 2 : 1;
}

/* The last entry that begins there or before. */
static uint32_t line_of(const ser_weave *weave, uint32_t at)
{
    enum { ENTRY = 4 };
    uint32_t line = 0, begin = 0;
    for (const uint8_t *entry = weave->lines.at; entry < weave->lines.end; entry += ENTRY) {
        uint32_t from = ser_peek_2(entry);
        if (from <= at && from >= begin) {
            begin = from;
            line = ser_peek_2(entry + 2);
        }
    }
    return line;
}

static ser_class_site site_at(const ser_weave *weave, uint32_t at, ser_class_site_kind kind)
{
    return (ser_class_site){.class_name = weave->job->name,
                            .method = weave->method,
                            .type = weave->descriptor,
                            .file = weave->job->file,
                            .line = line_of(weave, at),
                            .kind = kind};
}

static uint32_t number_of(const ser_weave *weave, const ser_class_site *site)
{
    const ser_class_client *client = weave->job->client;
    return client->site(client->context, site);
}

uint32_t ser_weave_site(ser_weave *weave, uint32_t at, ser_class_site_kind kind, bool early,
                        const ser_member *member)
{
    ser_class_site site = site_at(weave, at, kind);
    site.early = early;
    site.flow = weave->flows ? weave->flows[at] : 0;
    if (member) {
        site.owner = member->owner;
        site.member = member->name;
        site.descriptor = member->descriptor;
    }
    return number_of(weave, &site);
}

/* --- the method itself ------------------------------------------------------ */

static void push_monitor(ser_weave *weave)
{
    if (weave->access & SER_METHOD_STATIC) {
        ser_weave_op(weave, OP_LDC_W);
        ser_bytes_2(&weave->out, weave->job->this_class);
    } else {
        ser_weave_op(weave, OP_ALOAD_0);
    }
}

static void enter_monitor(ser_weave *weave)
{
    push_monitor(weave);
    ser_weave_op(weave, OP_DUP);
    ser_weave_hook_at(weave, SER_HOOK_LOCK, weave->site);
    ser_weave_op(weave, OP_MONITORENTER);
}

/* No handler is for what was put in since that position. */
static void leave_unguarded(ser_weave *weave, size_t since)
{
    ser_bytes_2(&weave->unguarded, (uint32_t)since);
    ser_bytes_2(&weave->unguarded, (uint32_t)weave->out.count);
}

static void leave_method(ser_weave *weave, uint32_t site)
{
    size_t left = weave->out.count;
    if (weave->monitored) {
        push_monitor(weave);
        ser_weave_op(weave, OP_DUP);
        ser_weave_op(weave, OP_MONITOREXIT);
        left = weave->out.count;
        ser_weave_hook_at(weave, SER_HOOK_UNLOCK, site);
    }
    if (weave->atomic)
        ser_weave_hook_at(weave, SER_HOOK_BLOCK_END, weave->site);
    if (weave->job->mode != SER_CLASS_OBJECTS)
        ser_weave_hook_at(weave, SER_HOOK_RETURNED, weave->site);
    if (weave->monitored)
        leave_unguarded(weave, left);
}

/* Constructors are no calls of their own: before they have called that of their superclass, no
 * handler may see `this`. */
static void begin_method(ser_weave *weave)
{
    if (weave->is_constructor || ser_class_text_is(weave->method, "<clinit>"))
        return;
    bool is_call = weave->job->mode != SER_CLASS_OBJECTS;
    if (!is_call && !weave->monitored)
        return;
    ser_class_site site = site_at(weave, 0, SER_CLASS_PLACE);
    site.looks = ser_code_looks(weave);
    weave->site = number_of(weave, &site);
    if (is_call)
        ser_weave_hook_at(weave,
                          ser_class_is_work(weave->method) ? SER_HOOK_BEGAN : SER_HOOK_CALLED,
                          weave->site);
    if (weave->atomic)
        ser_weave_hook_at(weave, SER_HOOK_BLOCK_BEGIN, weave->site);
    if (weave->monitored)
        enter_monitor(weave);
    weave->guarded_from = (uint32_t)weave->out.count;
    ser_weave_needs_stack(weave, 3);
}

static void end_method(ser_weave *weave)
{
    if (weave->guarded_from == 0)
        return;
    weave->handler = (uint32_t)weave->out.count;
    leave_method(weave, weave->site);
    ser_weave_op(weave, OP_ATHROW);
}

/* Why the method cannot take its monitor by itself; null: it can. */
static const char *keeps_monitor(const ser_weave *weave)
{
    if (weave->access & SER_METHOD_STATIC)
        return weave->job->version < CLASS_CONSTANTS_SINCE ? "an old synchronized static method"
                                                           : NULL;
    return ser_code_stores_this(weave->code, weave->length)
               ? "a synchronized method that overwrites `this`"
               : NULL;
}

static void weave_monitor(ser_weave *weave, uint32_t at)
{
    uint32_t site = ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL);
    bool enters = weave->code[at] == OP_MONITORENTER;
    ser_weave_op(weave, OP_DUP);
    if (enters)
        ser_weave_hook_at(weave, SER_HOOK_LOCK, site);
    ser_weave_old(weave, at, 1);
    size_t left = weave->out.count;
    if (!enters) {
        ser_weave_hook_at(weave, SER_HOOK_UNLOCK, site);
        leave_unguarded(weave, left);
    }
    ser_weave_needs_stack(weave, 3);
}

static void weave_library_hook(ser_weave *weave, ser_library_hook wanted)
{
    if (wanted.hook == SER_HOOK_COUNT)
        return;
    ser_weave_op(weave, OP_ALOAD_0 + wanted.argument);
    ser_weave_hook(weave, wanted.hook);
    ser_weave_needs_stack(weave, 1);
}

static void weave_return(ser_weave *weave, uint32_t at)
{
    if (weave->job->mode == SER_CLASS_CALLS)
        weave_library_hook(weave, ser_weave_library_return(weave));
    else if (weave->guarded_from)
        leave_method(
            weave, weave->monitored ? ser_weave_site(weave, at, SER_CLASS_PLACE, false, NULL) : 0);
    ser_weave_old(weave, at, 1);
}

/* --- all instructions --------------------------------------------------------- */

/* The operands of a switch are aligned. */
static void weave_switch(ser_weave *weave, uint32_t at, uint32_t size)
{
    uint32_t operands = ((at + 4) & ~UINT32_C(3)) - at;
    ser_weave_old(weave, at, 1);
    while (weave->out.count % 4 != 0 && !weave->out.failed)
        ser_weave_op(weave, 0);
    ser_bytes_put(&weave->out, weave->code + at + operands, size - operands);
}

static bool records_accesses(const ser_weave *weave)
{
    return weave->job->mode == SER_CLASS_WHOLE || weave->job->mode == SER_CLASS_OBJECTS;
}

static void weave_instruction(ser_weave *weave, uint32_t at, uint32_t size)
{
    uint32_t op = weave->code[at];
    bool whole = weave->job->mode != SER_CLASS_CALLS;
    if (op >= OP_IRETURN && op <= OP_RETURN)
        weave_return(weave, at);
    else if (op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH)
        weave_switch(weave, at, size);
    else if (!whole && op == OP_GETFIELD && ser_weave_library_read(weave, at))
        return;
    else if (whole && (op == OP_MONITORENTER || op == OP_MONITOREXIT))
        weave_monitor(weave, at);
    else if (!(records_accesses(weave) && ser_weave_access(weave, at)) &&
             !ser_weave_call(weave, at))
        ser_weave_old(weave, at, size);
}

/* Where a constructor has called another one: at the first call of one that no `new` is for. */
static uint32_t find_initialisation(ser_weave *weave)
{
    uint32_t waiting = 0;
    for (uint32_t at = 0, size; at < weave->length; at += size) {
        size = ser_code_length(weave->code, weave->length, at);
        waiting += weave->code[at] == OP_NEW;
        if (weave->code[at] != OP_INVOKESPECIAL)
            continue;
        ser_member called = ser_pool_member(&weave->job->pool, ser_peek_2(weave->code + at + 1));
        if (ser_class_text_is(called.name, "<init>") && waiting-- == 0)
            return at + size;
    }
    return weave->length;
}

static void prepare(ser_weave *weave)
{
    bool whole = weave->job->mode != SER_CLASS_CALLS;
    weave->is_constructor = ser_class_text_is(weave->method, "<init>");
    if (weave->is_constructor)
        weave->initialised_at = find_initialisation(weave);
    if (whole && weave->access & SER_METHOD_SYNCHRONIZED) {
        weave->problem = keeps_monitor(weave);
        weave->monitored = true;
        if (!weave->problem && !(weave->access & SER_METHOD_STATIC))
            ser_find_lost_receiver(weave);
    }
}

void ser_weave_code(ser_weave *weave)
{
    prepare(weave);
    if (weave->problem)
        return;
    if (records_accesses(weave))
        weave->flows = ser_flows_find(weave);
    if (weave->job->mode != SER_CLASS_CALLS)
        begin_method(weave);
    else
        weave_library_hook(weave, ser_weave_library_entry(weave));
    for (uint32_t at = 0, size; at < weave->length; at += size) {
        size = ser_code_length(weave->code, weave->length, at);
        weave->moved[at] = weave->placed[at] = (uint32_t)weave->out.count;
        for (uint32_t inner = 1; inner < size; inner++)
            weave->moved[at + inner] = SER_NOT_MOVED;
        weave_instruction(weave, at, size);
        if (weave->lost && weave->lost[at])
            leave_unguarded(weave, weave->moved[at]);
    }
    weave->moved[weave->length] = (uint32_t)weave->out.count;
    end_method(weave);
    if (weave->out.count > LONGEST_CODE)
        weave->problem = "it would be longer than 64 KB";
}
