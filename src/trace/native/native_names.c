/* SPDX-License-Identifier: MIT */
/*
 * A block of names is a row of groups: table, number of names, size of what
 * follows; for sites the functions (plus one; 0 is none); the lengths; the
 * texts in a row. The size lets a reader pass over tables it does not know.
 * Functions come before sites, which refer to them.
 */
#include "trace/native/native_names.h"

#include "trace/native/native_bytes.h"

/* A block is closed once its texts are this long, a name is cut at the second:
 * then no block can be too large for a reader. */
enum { TEXT_GOAL = 1 << 20, NAME_LIMIT = 1 << 25 };

/* --- writing ---------------------------------------------------------------- */

void ser_native_names_out_init(ser_native_names_out *names, const ser_symbols *symbols)
{
    *names = (ser_native_names_out){.symbols = symbols};
}

void ser_native_names_out_fini(ser_native_names_out *names)
{
    ser_vector_free(&names->heads);
    ser_vector_free(&names->texts);
}

static uint32_t names_in(const ser_symbols *symbols, unsigned table)
{
    if (table == SER_NATIVE_NOTES)
        return ser_symbols_note_count(symbols);
    if (table == SER_NATIVE_GUARDS)
        return ser_symbols_guards_count(symbols);
    return table == SER_NATIVE_SITES ? ser_symbols_site_count(symbols)
                                     : ser_symbols_count(symbols, (ser_space)(table - 1));
}

static ser_span whole_of(const ser_symbols *symbols, unsigned table, uint32_t number)
{
    if (table == SER_NATIVE_NOTES)
        return ser_symbols_whole_note(symbols, number);
    if (table == SER_NATIVE_GUARDS)
        return (ser_span){ser_symbols_guards(symbols, number + 1),
                          ser_symbols_guards_length(symbols, number + 1)};
    return table == SER_NATIVE_SITES
               ? ser_symbols_whole_location(symbols, number)
               : ser_symbols_whole_name(symbols, (ser_space)(table - 1), number);
}

static ser_span text_of(const ser_symbols *symbols, unsigned table, uint32_t number)
{
    ser_span text = whole_of(symbols, table, number);
    text.length = text.length < NAME_LIMIT ? text.length : NAME_LIMIT;
    return text;
}

static void push_varint(ser_native_names_out *names, uint64_t number)
{
    ser_vector_reserve(&names->heads, names->heads.count + SER_VARINT_SIZE);
    names->heads.count += ser_store_varint(names->heads.items + names->heads.count, number);
}

static void push_text(ser_native_names_out *names, ser_span text)
{
    if (text.length == 0)
        return;
    ser_vector_reserve(&names->texts, names->texts.count + text.length);
    memcpy(names->texts.items + names->texts.count, text.text, text.length);
    names->texts.count += text.length;
}

/* Collects names from `first` on until the block is long enough; the number
 * after the last one. */
static uint32_t collect(ser_native_names_out *names, unsigned table, uint32_t first)
{
    uint32_t end = first, all = names_in(names->symbols, table);
    names->heads.count = names->texts.count = 0;
    for (; end < all && names->texts.count < TEXT_GOAL && end - first < TEXT_GOAL; end++)
        push_text(names, text_of(names->symbols, table, end));
    if (table == SER_NATIVE_SITES)
        for (uint32_t site = first; site < end; site++)
            push_varint(names, (uint32_t)(ser_symbols_site_function(names->symbols, site) + 1));
    for (uint32_t number = first; number < end; number++)
        push_varint(names, text_of(names->symbols, table, number).length);
    return end;
}

static void keep_group(ser_native_names_out *names, unsigned table, ser_native_kept *kept,
                       uint64_t events)
{
    uint32_t first = names->count[table], end = collect(names, table, first);
    uint8_t head[3 * SER_VARINT_SIZE];
    size_t size = ser_store_varint(head, table);
    size += ser_store_varint(head + size, end - first);
    size += ser_store_varint(head + size, names->heads.count + names->texts.count);
    ser_native_piece pieces[] = {
        {head, size},
        {names->heads.items, names->heads.count},
        {names->texts.items, names->texts.count},
    };
    ser_native_block block = {SER_NATIVE_NAMES, 0, events};
    ser_native_keep(kept, &block, pieces, 3);
    names->count[table] = end;
}

static void keep_table(ser_native_names_out *names, unsigned table, ser_native_kept *kept,
                       uint64_t events)
{
    while (names->count[table] < names_in(names->symbols, table))
        keep_group(names, table, kept, events);
}

void ser_native_names_keep(ser_native_names_out *names, ser_native_kept *kept, uint64_t events)
{
    for (unsigned table = SER_NATIVE_SITES + 1; table < SER_NATIVE_TABLES; table++)
        keep_table(names, table, kept, events);
    keep_table(names, SER_NATIVE_SITES, kept, events);
}

/* --- reading ---------------------------------------------------------------- */

void ser_native_names_in_init(ser_native_names_in *names, ser_symbols *symbols, bool skip_sites)
{
    *names = (ser_native_names_in){.symbols = symbols, .skip_sites = skip_sites, .same = true};
}

void ser_native_names_in_fini(ser_native_names_in *names)
{
    for (unsigned table = 0; table < SER_NATIVE_TABLES; table++)
        ser_vector_free(&names->map[table]);
}

/* The file's next number of the table is the reader's `number`. A map begins
 * with the first difference. Until then a lower number means that the file has
 * the name twice, which no writer does: false. */
static bool take_number(ser_native_names_in *names, unsigned table, uint32_t number)
{
    uint32_t expected = names->count[table]++;
    if (number <= expected && names->map[table].count == 0)
        return number == expected;
    for (uint32_t i = (uint32_t)names->map[table].count; i < expected; i++)
        ser_vector_push(&names->map[table], i);
    ser_vector_push(&names->map[table], number);
    if (table != SER_NATIVE_SITES)
        names->same = false;
    return true;
}

/* The reader's number of a file's function, which is stored plus one. */
static uint32_t function_of(const ser_native_names_in *names, uint32_t stored)
{
    return stored == 0 ? SER_NO_OBJECT
                       : ser_native_number(names, ser_native_table(SER_SPACE_FUNCTION), stored - 1);
}

static bool take_site(ser_native_names_in *names, const char *text, size_t length,
                      uint32_t function)
{
    if (names->skip_sites) {
        names->count[SER_NATIVE_SITES]++;
        return true;
    }
    uint32_t site =
        ser_symbols_add_site(names->symbols, text, length, function_of(names, function));
    return take_number(names, SER_NATIVE_SITES, site);
}

/* Which ones these are is asked for points only; the reader may have no room for more. */
static bool take_guards(ser_native_names_in *names, const char *text, size_t length)
{
    ser_vector_push(&names->map[SER_NATIVE_GUARDS],
                    ser_symbols_add_guards(names->symbols, text, length));
    names->count[SER_NATIVE_GUARDS]++;
    return true;
}

static bool take_name(ser_native_names_in *names, unsigned table, const char *text, size_t length)
{
    if (table == SER_NATIVE_NOTES) {
        ser_symbols_add_note(names->symbols, text, length);
        names->count[table]++;
        return true;
    }
    if (table == SER_NATIVE_GUARDS)
        return take_guards(names, text, length);
    uint32_t number = ser_symbols_add(names->symbols, (ser_space)(table - 1), text, length);
    return take_number(names, table, number);
}

/* Moves `bytes` behind count varints; false if one is above its limit. */
static bool pass_varints(ser_native_bytes *bytes, uint64_t count, uint64_t limit)
{
    while (count-- > 0)
        if (ser_native_bytes_varint(bytes) > limit)
            return false;
    return !bytes->bad;
}

/* A group is read with three cursors: functions, lengths, texts. */
static const char *take_group(ser_native_names_in *names, unsigned table, uint64_t count,
                              ser_native_bytes group)
{
    bool sites = table == SER_NATIVE_SITES, fresh = true;
    uint32_t functions_known = names->count[ser_native_table(SER_SPACE_FUNCTION)];
    ser_native_bytes functions = group, lengths = group, texts;
    if (sites && !pass_varints(&lengths, count, functions_known))
        return "a site is in a function that was not named";
    texts = lengths;
    if (!pass_varints(&texts, count, SER_NATIVE_BLOCK_BYTES))
        return "a name is too long";
    for (; count > 0 && fresh; count--) {
        size_t length = (size_t)ser_native_bytes_varint(&lengths);
        const char *text = (const char *)ser_native_bytes_take(&texts, length);
        if (!text)
            return "a name reaches beyond the block";
        fresh = sites
                    ? take_site(names, text, length, (uint32_t)ser_native_bytes_varint(&functions))
                    : take_name(names, table, text, length);
    }
    return fresh ? NULL : "it has a name that the file had before";
}

/* There is one byte or more for each name, so count bounds the work. */
static bool count_is_possible(const ser_native_names_in *names, unsigned table, uint64_t count,
                              const ser_native_bytes *group)
{
    return count <= (uint64_t)(group->end - group->at) &&
           count < (uint64_t)UINT32_MAX - 1 - names->count[table];
}

const char *ser_native_names_unpack(ser_native_names_in *names, const uint8_t *bytes, size_t size)
{
    ser_native_bytes block = {bytes, bytes + size, false};
    while (block.at < block.end) {
        uint64_t table = ser_native_bytes_varint(&block);
        uint64_t count = ser_native_bytes_varint(&block);
        uint64_t length = ser_native_bytes_varint(&block);
        const uint8_t *body = ser_native_bytes_take(&block, length);
        if (!body)
            return "a group of names reaches beyond the block";
        if (table >= SER_NATIVE_TABLES)
            continue; /* of a later version */
        ser_native_bytes group = {body, body + length, false};
        if (!count_is_possible(names, (unsigned)table, count, &group))
            return "it has fewer names than it says";
        const char *fault = take_group(names, (unsigned)table, count, group);
        if (fault)
            return fault;
    }
    return NULL;
}
