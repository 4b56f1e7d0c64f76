/* SPDX-License-Identifier: MIT */
/*
 * The sentence that an entry starts with: which steps show the violation, with values. Nothing is
 * escaped here: the code that prints it does that.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/dossier/dossier.h"
#include "report/short_function.h"
#include "report/source_line.h"

static void write_function(const char *name, FILE *file)
{
    char *brief = ser_short_function(name);
    fprintf(file, "%s()", brief);
    free(brief);
}

static void write_block(const ser_entry *entry, FILE *file)
{
    if (*entry->label)
        fputs(entry->label, file);
    else if (*entry->function)
        write_function(entry->function, file);
    else
        fputs("the block", file);
}

static const char *in_the_past(const char *operation)
{
    static const char *const verbs[][2] = {
        {"reads", "read"},   {"writes", "wrote"},      {"updates", "updated"},
        {"locks", "locked"}, {"unlocks", "unlocked"},  {"starts", "started"},
        {"joins", "joined"}, {"frees", "freed"},       {"posts", "posted"},
        {"takes", "took"},   {"signals", "signalled"}, {"waits for", "waited for"},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(operation, verbs[i][0]) == 0)
            return verbs[i][1];
    return operation;
}

static bool is_of_library(const ser_entry_access *access)
{
    return ser_own_name_length(access->variable) < strlen(access->variable);
}

static bool have_same_name(const ser_entry_access *one, const ser_entry_access *other)
{
    size_t length = ser_own_name_length(one->variable);
    return length == ser_own_name_length(other->variable) &&
           strncmp(one->variable, other->variable, length) == 0;
}

static void write_variable(const ser_entry_access *access, FILE *file)
{
    fprintf(file, "%.*s", (int)ser_own_name_length(access->variable), access->variable);
}

/* "read alice.balance = 100 (70 in the recorded run)" */
static void write_read(const ser_entry_access *access, FILE *file)
{
    fprintf(file, "%s ", in_the_past(access->operation));
    write_variable(access, file);
    if (is_of_library(access))
        return;
    if (*access->value)
        fprintf(file, " = %s", access->value);
    if (*access->was && strcmp(access->was, access->value) != 0)
        fprintf(file, " (%s in the recorded run)", access->was);
}

/* Is it a write whose value is known, and says something? */
static bool sets(const ser_entry_access *access)
{
    return *access->value && strcmp(access->operation, "writes") == 0 && !is_of_library(access);
}

static const char *verb_of(const ser_entry_access *access)
{
    if (sets(access))
        return "set";
    bool changes = is_of_library(access) && strcmp(access->operation, "writes") == 0;
    return changes ? "changed" : in_the_past(access->operation);
}

/* "set it to 70", "updated hits to 4", "... and hits to 4": what the access before has named is not
 * named again. */
static void write_write(const ser_entry_access *access, const ser_entry_access *before,
                        bool goes_on, FILE *file)
{
    if (!goes_on || !sets(before) || !sets(access))
        fprintf(file, "%s ", verb_of(access));
    if (before && have_same_name(before, access))
        fputs("it", file);
    else
        write_variable(access, file);
    if (*access->value && strcmp(access->operation, "frees") != 0 && !is_of_library(access))
        fprintf(file, " to %s", access->value);
}

/* Do two accesses of the entry share a line, in other columns? Then lines alone say too little. */
static bool shares_line(const ser_entry *entry, const char *location)
{
    uint32_t line, column, other_line, other_column;
    int length = ser_split_place(location, &line, &column);
    for (size_t i = 0; length && column && i < entry->accesses.count; i++) {
        const char *other = entry->accesses.items[i].location;
        if (ser_split_place(other, &other_line, &other_column) == length && other_line == line &&
            other_column && other_column != column && strncmp(other, location, (size_t)length) == 0)
            return true;
    }
    return false;
}

/* " at line 37"; " at list.c:37" in another file than the block: the rows below it have the
 * folders. */
static void write_place(const ser_entry *entry, const char *location, FILE *file)
{
    uint32_t line, column, ignored;
    int length = ser_split_place(location, &line, &column);
    const char *own = ser_short_location(entry && entry->location ? entry->location : "");
    int own_length = ser_split_location(own, &ignored);
    if (!*location)
        return;
    const char *slash = length ? memrchr(location, '/', (size_t)length) : NULL;
    const char *name = slash ? slash + 1 : location;
    if (length && length == own_length && strncmp(own, location, (size_t)length) == 0)
        fprintf(file, " at line %" PRIu32, line);
    else if (length)
        fprintf(file, " at %.*s:%" PRIu32, (int)(location + length - name), name, line);
    else
        fprintf(file, " at %s", location);
    if (length && entry && shares_line(entry, location))
        fprintf(file, ":%" PRIu32, column);
}

/* "total (T1)", "T2" */
static void write_who(const ser_entry *entry, const ser_entry_access *access, FILE *file)
{
    bool has_name = access->in_block || *access->function;
    if (access->in_block)
        write_block(entry, file);
    else if (*access->function)
        write_function(access->function, file);
    fprintf(file, has_name ? " (%s) " : "%s ", access->thread);
}

static bool same_side(const ser_entry_access *one, const ser_entry_access *other)
{
    return one->in_block == other->in_block && strcmp(one->thread, other->thread) == 0 &&
           (one->in_block || strcmp(one->function, other->function) == 0);
}

/* Two members of a library's object, changed in one line: for the reader they are one change. */
static bool repeats(const ser_entry_access *access, const ser_entry_access *before)
{
    return same_side(access, before) && have_same_name(before, access) && is_of_library(access) &&
           strcmp(access->operation, before->operation) == 0 &&
           strcmp(access->location, before->location) == 0;
}

static void write_access(const ser_entry *entry, size_t index, FILE *file)
{
    const ser_entry_access *access = &entry->accesses.items[index];
    const ser_entry_access *before = index > 0 ? access - 1 : NULL;
    bool goes_on = before && same_side(access, before);
    if (before && repeats(access, before))
        return;
    if (before)
        fputs(goes_on ? " and " : "; then ", file);
    if (!goes_on)
        write_who(entry, access, file);
    if (access->is_write)
        write_write(access, before, goes_on, file);
    else
        write_read(access, file);
    write_place(entry, access->location, file);
}

static void write_other(const ser_entry_other *other, FILE *file)
{
    if (*other->function)
        write_function(other->function, file);
    else
        fputs("a block", file);
    fprintf(file, " (%s)", ser_brief_location(other->location));
    if (*other->interferer) {
        fputs(" with ", file);
        write_function(other->interferer, file);
    }
}

/* The same block, violated in other data (bugs/sides.h). */
static bool is_side(const ser_entry *entry, const ser_entry_other *other)
{
    return !other->follows && strcmp(entry->atomic, "compounds") != 0 &&
           strcmp(entry->function, other->function) == 0 &&
           strcmp(entry->location, other->location) == 0;
}

static void write_sides(const ser_entry *entry, FILE *file)
{
    size_t count = 0;
    for (size_t i = 0; i < entry->others.count; i++)
        count += is_side(entry, &entry->others.items[i]);
    if (count)
        fprintf(file,
                " The same block is also interrupted between uses of other data, in %zu way%s.",
                count, count == 1 ? "" : "s");
}

static size_t count_others(const ser_entry *entry, bool follow)
{
    size_t count = 0;
    for (size_t i = 0; i < entry->others.count; i++)
        count +=
            entry->others.items[i].follows == follow && !is_side(entry, &entry->others.items[i]);
    return count;
}

/* " The same happens to this data in 2 more pairs of places: add() (a.c:3) with drop(), ..." */
static void write_others(const ser_entry *entry, bool follow, FILE *file)
{
    enum { NAMED = 4 };
    size_t count = count_others(entry, follow), named = 0;
    if (!count)
        return;
    fprintf(file,
            follow ? " Only after that %zu more place%s can be interrupted"
                   : " The same happens to this data in %zu more pair%s of places",
            count, count == 1 ? "" : "s");
    for (size_t i = 0; i < entry->others.count && named < NAMED; i++) {
        if (entry->others.items[i].follows != follow || is_side(entry, &entry->others.items[i]))
            continue;
        fputs(named++ ? ", " : ": ", file);
        write_other(&entry->others.items[i], file);
    }
    if (count > named)
        fprintf(file, ", and %zu more", count - named);
    fputs(".", file);
}

static void write_lead(const ser_entry *entry, FILE *file)
{
    for (size_t i = 0; i < entry->accesses.count; i++)
        write_access(entry, i, file);
    fputs(". ", file);
    ser_entry_write_meaning(entry, file);
    if (entry->memory_error)
        fprintf(file, " This is a %s.", entry->memory_error);
    write_others(entry, false, file);
    write_sides(entry, file);
    write_others(entry, true, file);
}

static void write_step(const ser_run *run, const ser_plain_names *names, uint32_t number,
                       FILE *file)
{
    const ser_event *event = &run->events[number];
    ser_op op = (ser_op)event->op;
    uint32_t writer = ser_op_reads(op) ? run->couple[number] : 0;
    fprintf(file, "%s %s", ser_op_verb(op), ser_plain_name(names, ser_op_space(op), event->object));
    if (ser_op_is_access(op) && event->flags & SER_EVENT_HAS_VALUE) {
        char *value = ser_describe_value(event->value);
        fprintf(file, " = %s", value);
        free(value);
    }
    if (!writer || run->events[writer].thread == event->thread)
        return;
    uint32_t by = run->events[writer].thread;
    fprintf(file, ", which %s had written", ser_symbols_name(run->symbols, SER_SPACE_THREAD, by));
    write_place(NULL, ser_symbols_location(run->symbols, run->events[writer].site), file);
}

/* --- as texts ------------------------------------------------------------------ */

typedef struct text_stream {
    char *text;
    size_t size;
    FILE *file;
} text_stream;

static void start(text_stream *stream)
{
    stream->file = open_memstream(&stream->text, &stream->size);
    if (!stream->file)
        ser_out_of_memory(0);
}

static char *finish(text_stream *stream)
{
    fclose(stream->file);
    return stream->text;
}

char *ser_entry_block_name(const ser_entry *entry)
{
    text_stream stream;
    start(&stream);
    write_block(entry, stream.file);
    return finish(&stream);
}

char *ser_entry_make_lead(const ser_entry *entry)
{
    text_stream stream;
    start(&stream);
    if (entry->accesses.count)
        write_lead(entry, stream.file);
    return finish(&stream);
}

char *ser_describe_step(const ser_run *run, const ser_plain_names *names, uint32_t event)
{
    text_stream stream;
    start(&stream);
    write_step(run, names, event, stream.file);
    return finish(&stream);
}
