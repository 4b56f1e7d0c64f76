/* SPDX-License-Identifier: MIT */
#include "report/text/run_others.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/print.h"
#include "bugs/sides.h"
#include "report/dossier/plain_names.h"
#include "report/short_function.h"
#include "report/source_line.h"

void ser_run_block_text(const ser_bug *bug, FILE *file)
{
    static const char *const formats[] = {[SER_INTENTION_MARKED] = "a block in %s()",
                                          [SER_INTENTION_LOCKED] = "a block in %s()",
                                          [SER_INTENTION_FUNCTION] = "%s()",
                                          [SER_INTENTION_COMPOUND] = "an assignment in %s()",
                                          [SER_INTENTION_ROUND] = "a round of the loop in %s()",
                                          [SER_INTENTION_CHECKED] = "a block in %s()",
                                          [SER_INTENTION_WHOLE] = "%s()"};
    char *function = ser_short_function(bug->function);
    if (*bug->label)
        ser_print(file, "\"%s\"", bug->label);
    else if (*function)
        ser_print(file, formats[bug->intention], function);
    else
        ser_print(file, "block %" PRIu32, bug->block);
    free(function);
    if (*bug->location)
        ser_print(file, " (%s)", ser_short_location(bug->location));
}

/* The function that comes between, if the accesses say so. */
static const char *interferer_of(const ser_bug *bug)
{
    for (size_t i = 0; i < bug->accesses.count; i++)
        if (!bug->accesses.items[i].in_block)
            return bug->accesses.items[i].function;
    return "";
}

/* Why one is reported with another. */
typedef enum relation { SAME_DATA, SAME_BLOCK, FOLLOWS } relation;

static relation relation_of(const ser_bug *bug, const ser_bug *other)
{
    if (other->follows)
        return FOLLOWS;
    return ser_bugs_have_one_block(bug, other) && !ser_bugs_have_common_variable(bug, other)
               ? SAME_BLOCK
               : SAME_DATA;
}

static size_t count_others(const ser_bug *bug, relation wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < bug->others.count; i++)
        count += relation_of(bug, &bug->others.items[i]) == wanted;
    return count;
}

typedef SER_VECTOR(char *) name_list;

/* The name that the program has given, once. Parts of what a library has allocated have none. */
static void add_name(name_list *names, const ser_bug_access *access)
{
    const char *name = access->plain ? access->plain : access->variable;
    size_t length = ser_own_name_length(name);
    bool is_known = !length || strchr(name, '{') || *name == '+';
    for (size_t i = 0; !is_known && i < names->count; i++)
        is_known = strlen(names->items[i]) == length && memcmp(names->items[i], name, length) == 0;
    if (!is_known)
        ser_vector_push(names, ser_copy_text(name, length));
}

/* "   Also, the same block is interrupted between uses of other data: hits, misses" */
static void print_sides(const ser_bug *bug, FILE *file)
{
    name_list names = {0};
    for (size_t i = 0; i < bug->accesses.count; i++)
        add_name(&names, &bug->accesses.items[i]);
    size_t own = names.count;
    for (size_t i = 0; i < bug->others.count; i++) {
        const ser_bug *other = &bug->others.items[i];
        for (size_t j = 0; relation_of(bug, other) == SAME_BLOCK && j < other->accesses.count; j++)
            add_name(&names, &other->accesses.items[j]);
    }
    if (names.count > own)
        fputs("\n   Also, the same block is interrupted between uses of other data: ", file);
    for (size_t i = own; i < names.count; i++)
        ser_print(file, i + 1 < names.count ? "%s, " : "%s\n", names.items[i]);
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    ser_vector_free(&names);
}

/* A few by name: those with the same cause, or those that follow. */
static void print_others(const ser_bug *bug, relation wanted, FILE *file)
{
    enum { NAMED = 4 };
    size_t count = count_others(bug, wanted), printed = 0;
    if (count && wanted == FOLLOWS)
        ser_print(file, "\n   Only after that %zu more place%s can be interrupted:\n", count,
                  count == 1 ? "" : "s");
    else if (count)
        ser_print(file, "\n   The same happens to this data in %zu more pair%s of places:\n", count,
                  count == 1 ? "" : "s");
    for (size_t i = 0; i < bug->others.count && (printed < NAMED || count == NAMED + 1); i++) {
        const ser_bug *other = &bug->others.items[i];
        if (relation_of(bug, other) != wanted)
            continue;
        printed++;
        char *interferer = ser_short_function(interferer_of(other));
        ser_print(file, "     ");
        ser_run_block_text(other, file);
        if (*interferer)
            ser_print(file, ", interrupted by %s()", interferer);
        fputc('\n', file);
        free(interferer);
    }
    if (count > NAMED + 1)
        ser_print(file, "     and %zu more (--json has all)\n", count - NAMED);
}

void ser_run_others_text(const ser_bug *bug, FILE *file)
{
    print_others(bug, SAME_DATA, file);
    print_sides(bug, file);
    print_others(bug, FOLLOWS, file);
}
