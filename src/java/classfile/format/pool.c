/* SPDX-License-Identifier: MIT */
#include "java/classfile/format/pool.h"

#include <stdlib.h>
#include <string.h>

/* Tags of constants, by the specification of the virtual machine (4.4). */
enum {
    UTF8 = 1,
    INTEGER = 3,
    LONG = 5,
    DOUBLE = 6,
    CLASS = 7,
    FIELD = 9,
    METHOD = 10,
    INTERFACE_METHOD = 11,
    NAME_AND_TYPE = 12,
    METHOD_HANDLE = 15,
    INVOKE_DYNAMIC = 18,
    MOST_CONSTANTS = 65535, /* numbers are below */
};

/* How many bytes follow the tag; of texts, those of their length. 0: there is no such tag. */
static uint32_t size_of(uint32_t tag)
{
    static const uint8_t sizes[] = {
        [UTF8] = 2,
        [INTEGER] = 4,
        [4] = 4,
        [LONG] = 8,
        [DOUBLE] = 8,
        [CLASS] = 2,
        [8] = 2,
        [FIELD] = 4,
        [10] = 4,
        [11] = 4,
        [NAME_AND_TYPE] = 4,
        [METHOD_HANDLE] = 3,
        [16] = 2,
        [17] = 4,
        [INVOKE_DYNAMIC] = 4,
        [19] = 2,
        [20] = 2,
    };
    return tag < sizeof sizes ? sizes[tag] : 0;
}

static void read_constant(ser_view *view)
{
    uint32_t tag = ser_view_1(view), size = size_of(tag);
    if (size == 0)
        view->bad = true;
    else if (tag == UTF8)
        ser_view_skip(view, ser_view_2(view));
    else
        ser_view_skip(view, size);
}

void ser_pool_read(ser_pool *pool, ser_view *view)
{
    *pool = (ser_pool){.count = ser_view_2(view)};
    pool->next = pool->count;
    pool->entries = calloc((size_t)pool->count + 1, sizeof *pool->entries);
    pool->bad = !pool->entries || pool->count == 0;
    for (uint32_t i = 1; i < pool->count && !view->bad && !pool->bad; i++) {
        const uint8_t *entry = view->at;
        read_constant(view);
        if (view->bad)
            break;
        pool->entries[i] = entry;
        i += *entry == LONG || *entry == DOUBLE; /* they have two numbers */
        pool->bad = i >= pool->count;
    }
    pool->bad = pool->bad || view->bad;
}

void ser_pool_fini(ser_pool *pool)
{
    free(pool->entries);
    ser_bytes_free(&pool->added);
    pool->entries = NULL;
}

static const uint8_t *look_for(const ser_pool *pool, uint32_t number, uint32_t tag)
{
    const uint8_t *entry = number < pool->count ? pool->entries[number] : NULL;
    return entry && *entry == tag ? entry + 1 : NULL;
}

static const uint8_t *find(ser_pool *pool, uint32_t number, uint32_t tag)
{
    const uint8_t *entry = look_for(pool, number, tag);
    pool->bad = pool->bad || !entry;
    return entry;
}

ser_class_text ser_pool_text(ser_pool *pool, uint32_t number)
{
    const uint8_t *entry = find(pool, number, UTF8);
    return entry ? (ser_class_text){(const char *)entry + 2, ser_peek_2(entry)}
                 : (ser_class_text){"", 0};
}

ser_class_text ser_pool_class(ser_pool *pool, uint32_t number)
{
    const uint8_t *entry = find(pool, number, CLASS);
    return ser_pool_text(pool, entry ? ser_peek_2(entry) : 0);
}

ser_member ser_pool_member(ser_pool *pool, uint32_t number)
{
    const uint8_t *entry = number < pool->count ? pool->entries[number] : NULL;
    ser_member member = {{"", 0}, {"", 0}, {"", 0}};
    if (!entry || (*entry != FIELD && *entry != METHOD && *entry != INTERFACE_METHOD)) {
        pool->bad = true;
        return member;
    }
    const uint8_t *pair = find(pool, ser_peek_2(entry + 3), NAME_AND_TYPE);
    if (!pair)
        return member;
    member.owner = ser_pool_class(pool, ser_peek_2(entry + 1));
    member.name = ser_pool_text(pool, ser_peek_2(pair));
    member.descriptor = ser_pool_text(pool, ser_peek_2(pair + 2));
    return member;
}

ser_class_text ser_pool_dynamic(ser_pool *pool, uint32_t number)
{
    const uint8_t *entry = find(pool, number, INVOKE_DYNAMIC);
    const uint8_t *pair = entry ? find(pool, ser_peek_2(entry + 2), NAME_AND_TYPE) : NULL;
    return pair ? ser_pool_text(pool, ser_peek_2(pair + 2)) : (ser_class_text){"", 0};
}

bool ser_pool_handle(const ser_pool *pool, uint32_t number, ser_method_handle *handle)
{
    const uint8_t *entry = look_for(pool, number, METHOD_HANDLE);
    if (entry)
        *handle = (ser_method_handle){entry[0], ser_peek_2(entry + 1)};
    return entry != NULL;
}

bool ser_pool_is_dynamic(const ser_pool *pool, uint32_t number, uint32_t *bootstrap)
{
    const uint8_t *entry = look_for(pool, number, INVOKE_DYNAMIC);
    if (entry)
        *bootstrap = ser_peek_2(entry);
    return entry != NULL;
}

/* --- adding --------------------------------------------------------------- */

static uint32_t take_number(ser_pool *pool)
{
    if (pool->next < MOST_CONSTANTS)
        return pool->next++;
    pool->full = true;
    return 0;
}

uint32_t ser_pool_add_text(ser_pool *pool, const char *text)
{
    size_t length = strlen(text);
    ser_bytes_1(&pool->added, UTF8);
    ser_bytes_2(&pool->added, (uint32_t)length);
    ser_bytes_put(&pool->added, text, length);
    return take_number(pool);
}

static uint32_t add_class(ser_pool *pool, const char *name)
{
    uint32_t text = ser_pool_add_text(pool, name);
    ser_bytes_1(&pool->added, CLASS);
    ser_bytes_2(&pool->added, text);
    return take_number(pool);
}

static uint32_t add_pair(ser_pool *pool, uint32_t tag, uint32_t first, uint32_t second)
{
    ser_bytes_1(&pool->added, tag);
    ser_bytes_2(&pool->added, first);
    ser_bytes_2(&pool->added, second);
    return take_number(pool);
}

static const struct {
    const char *name, *descriptor;
} hooks[] = {
#define SER_X(id, name, descriptor) {name, descriptor},
    SER_HOOKS(SER_X)
#undef SER_X
};

static uint16_t *find_hook_class(ser_pool *pool, const char *name, const char *dot)
{
    static const char *const classes[SER_HOOK_CLASSES] = {SER_HOOKS_CLASS,
                                                          SER_HOOKS_CLASS "Sync",
                                                          SER_HOOKS_CLASS "Handles",
                                                          SER_HOOKS_CLASS "Inputs",
                                                          SER_HOOKS_CLASS "Updates",
                                                          SER_HOOKS_CLASS "Locks",
                                                          SER_HOOKS_CLASS "Operations"};
    size_t length = dot ? (size_t)(dot - name) : 0, number = 0;
    for (size_t i = 1; dot && i < SER_HOOK_CLASSES; i++) {
        const char *own = classes[i] + sizeof SER_HOOKS_CLASS - 1;
        if (strlen(own) == length && strncmp(own, name, length) == 0)
            number = i;
    }
    if (!pool->hook_classes[number])
        pool->hook_classes[number] = (uint16_t)add_class(pool, classes[number]);
    return &pool->hook_classes[number];
}

uint32_t ser_pool_hook(ser_pool *pool, ser_hook hook)
{
    if (pool->hooks[hook])
        return pool->hooks[hook];
    const char *dot = strchr(hooks[hook].name, '.');
    uint16_t *owner = find_hook_class(pool, hooks[hook].name, dot);
    uint32_t name = ser_pool_add_text(pool, dot ? dot + 1 : hooks[hook].name);
    uint32_t type = ser_pool_add_text(pool, hooks[hook].descriptor);
    uint32_t pair = add_pair(pool, NAME_AND_TYPE, name, type);
    pool->hooks[hook] = (uint16_t)add_pair(pool, METHOD, *owner, pair);
    return pool->hooks[hook];
}

uint32_t ser_pool_add_static_handle(ser_pool *pool, uint32_t owner, bool is_interface,
                                    uint32_t name, uint32_t type)
{
    enum { CALLS_STATIC = 6 };
    uint32_t pair = add_pair(pool, NAME_AND_TYPE, name, type);
    uint32_t method = add_pair(pool, is_interface ? INTERFACE_METHOD : METHOD, owner, pair);
    ser_bytes_1(&pool->added, METHOD_HANDLE);
    ser_bytes_1(&pool->added, CALLS_STATIC);
    ser_bytes_2(&pool->added, method);
    return take_number(pool);
}

uint32_t ser_pool_throwable(ser_pool *pool)
{
    if (!pool->throwable)
        pool->throwable = (uint16_t)add_class(pool, "java/lang/Throwable");
    return pool->throwable;
}

uint32_t ser_pool_code_name(ser_pool *pool)
{
    if (!pool->code)
        pool->code = (uint16_t)ser_pool_add_text(pool, "Code");
    return pool->code;
}

uint32_t ser_pool_frames_name(ser_pool *pool)
{
    if (!pool->frames)
        pool->frames = (uint16_t)ser_pool_add_text(pool, "StackMapTable");
    return pool->frames;
}

uint32_t ser_pool_add_number(ser_pool *pool, uint32_t value)
{
    ser_bytes_1(&pool->added, INTEGER);
    ser_bytes_4(&pool->added, value);
    return take_number(pool);
}
