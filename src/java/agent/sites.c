/* SPDX-License-Identifier: MIT */
#include "java/agent/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/agent/texts.h"
#include "runtime/core/log.h"
#include "runtime/core/sys.h"

enum {
    PIECE = 4096,
    MOST_PIECES = 4096,
    LONGEST_NAME = 1024,
    LONGEST_KEY = 2 * LONGEST_NAME,
    MOST_SUPERCLASSES = 256
};

static struct {
    ser_lock lock;
    ser_java_site *pieces[MOST_PIECES];
    uint32_t count; /* site 0 is none */
    ser_texts texts;
    ser_texts fields;   /* "com/shop/Cart.items": those that are declared */
    ser_texts supers;   /* classes that have a superclass we know; its name is in super_of */
    ser_texts numbered; /* fields that were accessed */
    const char **super_of;
    uint32_t super_room;
} known;

static const char *keep(const char *text)
{
    const ser_text_entry *entry = ser_texts_add(&known.texts, text);
    return entry ? entry->text : NULL;
}

static int text_length(ser_class_text text)
{
    return text.length < LONGEST_NAME ? (int)text.length : LONGEST_NAME - 1;
}

/* --- places ---------------------------------------------------------------------- */

static void use_dots(char *name)
{
    for (; *name; name++)
        if (*name == '/')
            *name = '.';
}

/* "com.shop.Cart.total" */
static const char *function_of(const ser_class_site *site)
{
    char name[LONGEST_KEY];
    snprintf(name, sizeof name, "%.*s.%.*s", text_length(site->class_name), site->class_name.bytes,
             text_length(site->method), site->method.bytes);
    use_dots(name);
    return keep(name);
}

static ser_class_text folder_of(ser_class_text name)
{
    while (name.length > 0 && name.bytes[name.length - 1] != '/')
        name.length--;
    return name;
}

static ser_class_text simple_name(ser_class_text name)
{
    uint32_t folder = folder_of(name).length;
    return (ser_class_text){name.bytes + folder, name.length - folder};
}

/* "com/shop/Cart.java", as compilers want it */
static const char *file_of(const ser_class_site *site)
{
    char name[LONGEST_KEY];
    ser_class_text folder = folder_of(site->class_name);
    if (site->file.length == 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s%.*s", text_length(folder), folder.bytes,
             text_length(site->file), site->file.bytes);
    return keep(name);
}

/* "items", or "Cart.items": what belongs to no object is named with its class. */
static const char *field_of(const ser_class_site *site)
{
    char name[LONGEST_KEY];
    ser_class_text owner = simple_name(site->owner);
    if (site->member.length == 0 || site->descriptor.bytes[0] == '(')
        return NULL;
    snprintf(name, sizeof name, "%.*s.%.*s", text_length(owner), owner.bytes,
             text_length(site->member), site->member.bytes);
    return keep(name);
}

static ser_java_site *next_site(void)
{
    uint32_t number = known.count + 1, piece = number / PIECE;
    if (piece >= MOST_PIECES)
        return NULL;
    if (!known.pieces[piece])
        known.pieces[piece] = calloc(PIECE, sizeof **known.pieces);
    return known.pieces[piece] ? &known.pieces[piece][number % PIECE] : NULL;
}

/* --- what callers do with results ------------------------------------------------------ */

/* Whether a read that its method returns decides is known when the class of a caller is loaded,
 * before or after that of the method, but before the caller runs. With the lock. */
typedef struct called_method {
    bool is_asked, stores;
    uint32_t first_handed; /* a site; 0: none */
} called_method;

typedef struct passed_result {
    uint32_t getter, setter;
} passed_result;

static struct {
    ser_texts names; /* "total()I" */
    called_method *methods;
    uint32_t room;
    passed_result *passed;
    uint32_t passed_count, passed_room;
} callees;

/* Its number; 0: there is no memory. */
static uint32_t callee_of(ser_class_text name, ser_class_text descriptor)
{
    char key[LONGEST_KEY];
    snprintf(key, sizeof key, "%.*s%.*s", text_length(name), name.bytes, text_length(descriptor),
             descriptor.bytes);
    const ser_text_entry *entry = ser_texts_add(&callees.names, key);
    if (entry && entry->number >= callees.room) {
        uint32_t room = 2 * entry->number + 1;
        called_method *grown = realloc(callees.methods, room * sizeof *grown);
        if (!grown)
            return 0;
        memset(grown + callees.room, 0, (room - callees.room) * sizeof *grown);
        callees.methods = grown;
        callees.room = room;
    }
    return entry ? entry->number : 0;
}

static void is_asked(uint32_t getter)
{
    called_method *method = &callees.methods[getter];
    method->is_asked = true;
    for (uint32_t site = method->first_handed; site; site = ser_site_at(site)->next_handed)
        ser_site_at(site)->place.flags |= SER_ABI_SITE_DECIDES;
}

static void is_passed(uint32_t getter, uint32_t setter)
{
    if (callees.methods[setter].stores)
        is_asked(getter);
    if (callees.passed_count == callees.passed_room) {
        uint32_t room = 2 * callees.passed_room + 16;
        passed_result *grown = realloc(callees.passed, room * sizeof *grown);
        if (!grown)
            return;
        callees.passed = grown;
        callees.passed_room = room;
    }
    callees.passed[callees.passed_count++] = (passed_result){getter, setter};
}

static void it_stores(uint32_t setter)
{
    bool is_new = !callees.methods[setter].stores;
    callees.methods[setter].stores = true;
    for (uint32_t i = 0; i < callees.passed_count && is_new; i++)
        if (callees.passed[i].setter == setter)
            is_asked(callees.passed[i].getter);
}

static void learn_result(void *context, ser_class_fate fate, const ser_class_method *method,
                         const ser_class_method *to)
{
    (void)context;
    ser_lock_take(&known.lock);
    uint32_t number = callee_of(method->name, method->descriptor);
    uint32_t setter = to ? callee_of(to->name, to->descriptor) : 0;
    if (number && fate == SER_CLASS_ASKED)
        is_asked(number);
    else if (number && fate == SER_CLASS_STORES)
        it_stores(number);
    else if (number && setter)
        is_passed(number, setter);
    ser_lock_give(&known.lock);
}

static void note_handed(ser_java_site *site, uint32_t number, const ser_class_site *from)
{
    uint32_t callee = callee_of(from->method, from->type);
    if (!callee)
        return;
    site->next_handed = callees.methods[callee].first_handed;
    callees.methods[callee].first_handed = number;
    if (callees.methods[callee].is_asked)
        site->place.flags |= SER_ABI_SITE_DECIDES;
}

/* --- places of the program ---------------------------------------------------------------- */

/* True or false: whether it has changed something. */
static bool returns_answer(const ser_class_site *site)
{
    return site->descriptor.length > 0 &&
           site->descriptor.bytes[site->descriptor.length - 1] == 'Z';
}

/* Of an atomic reference, by a function. */
static bool is_update(const ser_class_site *site)
{
    return ser_class_text_is(site->owner, "java/util/concurrent/atomic/AtomicReference") &&
           (ser_class_text_starts(site->member, "getAndUpdate") ||
            ser_class_text_starts(site->member, "updateAndGet") ||
            ser_class_text_starts(site->member, "getAndAccumulate") ||
            ser_class_text_starts(site->member, "accumulateAndGet"));
}

/* A collection changes whatever it holds; an atomic variable does, unless it is compared first, as
 * by an update with a function. The library reads no fields of the program by itself, so that a
 * call of it is none of code that may read anything. */
static uint32_t flags_of(const ser_class_site *site)
{
    bool compares = is_update(site) || ser_class_text_is(site->member, "putIfAbsent") ||
                    ser_class_text_is(site->member, "computeIfAbsent") ||
                    (ser_class_text_is(site->member, "replace") && returns_answer(site)) ||
                    (ser_class_text_is(site->member, "remove") && returns_answer(site)) ||
                    ser_class_text_starts(site->member, "compareAnd") ||
                    ser_class_text_starts(site->member, "weakCompareAnd");
    bool modifies = site->kind == SER_CLASS_READ_WRITE ? !compares : site->flow & SER_CLASS_BEGINS;
    return SER_ABI_SITE_TELLS | (modifies ? SER_ABI_SITE_MODIFIES : 0U) |
           (site->looks ? SER_ABI_SITE_LOOPS : 0U) |
           (site->flow & SER_CLASS_DATA && !site->early ? SER_ABI_SITE_DATA : 0U) |
           (site->flow & SER_CLASS_DECIDES ? SER_ABI_SITE_DECIDES : 0U) |
           (site->flow & SER_CLASS_HANDED ? SER_ABI_SITE_HANDED : 0U) |
           (site->flow & SER_CLASS_UNASKED ? SER_ABI_SITE_BLIND : 0U) |
           (site->flow & SER_CLASS_FIXED ? SER_ABI_SITE_FIXED : 0U);
}

static uint32_t add_site(void *context, const ser_class_site *from)
{
    (void)context;
    char owner[LONGEST_NAME];
    snprintf(owner, sizeof owner, "%.*s", text_length(from->owner), from->owner.bytes);
    ser_lock_take(&known.lock);
    ser_java_site *site = next_site();
    uint32_t number = 0;
    if (site) {
        site->place = (ser_abi_site){.line = from->line,
                                     .flags = flags_of(from),
                                     .file = file_of(from),
                                     .function = function_of(from),
                                     .name = field_of(from)};
        site->kind = (uint8_t)from->kind;
        site->early = from->early;
        site->always = from->early && from->flow & SER_CLASS_DATA;
        site->in_place = ser_class_text_is(from->member, "set");
        site->removes = ser_class_text_is(from->member, "remove");
        site->is_work = ser_class_is_work(from->method);
        site->owner = site->place.name ? keep(owner) : NULL;
        number = ++known.count;
        if (from->flow & SER_CLASS_HANDED)
            note_handed(site, number, from);
    }
    ser_lock_give(&known.lock);
    return number;
}

static void note_left_alone(void *context, ser_class_text class_name, ser_class_text method,
                            const char *why)
{
    (void)context;
    char name[LONGEST_KEY];
    snprintf(name, sizeof name, "%.*s.%.*s", text_length(class_name), class_name.bytes,
             text_length(method), method.bytes);
    ser_log(RUNTIME, INFO, "%s is not recorded: %s", ser_log_text(name), ser_log_text(why));
}

const ser_class_client ser_site_client = {NULL, add_site, note_left_alone, learn_result};

/* Site 0, if there was no memory for another: an empty one. */
ser_java_site *ser_site_at(uint32_t number)
{
    static ser_java_site none = {.kind = SER_CLASS_PLACE};
    return number ? &known.pieces[number / PIECE][number % PIECE] : &none;
}

static uint32_t flags_of_part(const ser_java_site *site)
{
    if (site->kind == SER_CLASS_READ)
        return SER_ABI_SITE_BLIND;
    return site->kind != SER_CLASS_READ && site->always ? SER_ABI_SITE_DATA : 0;
}

ser_abi_site *ser_site_part(ser_java_site *site)
{
    uint32_t flags = flags_of_part(site);
    if (site->part || !flags)
        return site->part ? site->part : &site->place;
    ser_abi_site *part = malloc(sizeof *part);
    if (!part)
        return &site->place;
    *part = site->place;
    part->number = 0;
    part->flags |= flags;
    return site->part = part;
}

/* --- fields ------------------------------------------------------------------------ */

static void learn_field(void *context, ser_class_text name, ser_class_text descriptor)
{
    (void)descriptor;
    const ser_class_outline *outline = context;
    char key[LONGEST_KEY];
    snprintf(key, sizeof key, "%.*s.%.*s", text_length(outline->name), outline->name.bytes,
             text_length(name), name.bytes);
    ser_texts_add(&known.fields, key);
}

static void learn_super(const ser_class_outline *outline)
{
    char name[LONGEST_NAME], super[LONGEST_NAME];
    snprintf(name, sizeof name, "%.*s", text_length(outline->name), outline->name.bytes);
    snprintf(super, sizeof super, "%.*s", text_length(outline->super), outline->super.bytes);
    const ser_text_entry *entry = ser_texts_add(&known.supers, name);
    if (entry && entry->number >= known.super_room) {
        uint32_t room = entry->number * 2 + 64;
        const char **larger = realloc(known.super_of, room * sizeof *larger);
        if (!larger)
            return;
        memset(larger + known.super_room, 0, (room - known.super_room) * sizeof *larger);
        known.super_of = larger;
        known.super_room = room;
    }
    if (entry)
        known.super_of[entry->number] = keep(super);
}

void ser_site_learn_class(const uint8_t *bytes, size_t size)
{
    ser_class_outline outline = {.field = learn_field};
    outline.context = &outline;
    ser_lock_take(&known.lock);
    if (ser_class_read_outline(bytes, size, &outline))
        learn_super(&outline);
    ser_lock_give(&known.lock);
}

/* The class that declares the field, from the one that the code names upwards. If none of those
 * that we know does, it is one of the library: the named class stands for it. */
static void declared_field(const char *owner, const char *field, char key[LONGEST_KEY])
{
    const char *class_name = owner;
    for (int depth = 0; class_name && depth < MOST_SUPERCLASSES; depth++) {
        snprintf(key, LONGEST_KEY, "%s.%s", class_name, field);
        if (ser_texts_find(&known.fields, key))
            return;
        const ser_text_entry *entry = ser_texts_find(&known.supers, class_name);
        class_name = entry ? known.super_of[entry->number] : NULL;
    }
    snprintf(key, LONGEST_KEY, "%s.%s", owner, field);
}

uint32_t ser_site_field_number(const char *owner, const char *name)
{
    char key[LONGEST_KEY];
    ser_lock_take(&known.lock);
    declared_field(owner, name, key);
    const ser_text_entry *entry = ser_texts_add(&known.numbered, key);
    ser_lock_give(&known.lock);
    return entry ? entry->number : 0;
}

uint32_t ser_site_field(ser_java_site *site)
{
    if (!site->field && site->owner)
        site->field = ser_site_field_number(site->owner, strrchr(site->place.name, '.') + 1);
    return site->field;
}

/* "com/shop/Cart.items" is Cart.items. */
void ser_site_name_field(ser_java_site *site, uint32_t number)
{
    ser_lock_take(&known.lock);
    const char *key = ser_texts_at(&known.numbered, number);
    const char *slash = key ? strrchr(key, '/') : NULL;
    if (!site->place.name)
        site->place.name = slash ? slash + 1 : key;
    ser_lock_give(&known.lock);
}
