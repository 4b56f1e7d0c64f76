/* SPDX-License-Identifier: MIT */
/*
 * What goes wrong in an order of accesses, in one sentence: an update is lost, two reads do not fit
 * together, and so on. Only what follows from the order of the accesses is said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/dossier/dossier.h"
#include "report/dossier/plain_names.h"

typedef struct ends {
    const ser_entry_access *first, *last; /* of the block */
    const ser_entry_access *between;      /* the first of another thread */
} ends;

/* Parts of one container of the library are the same to the reader. */
static bool is_of(const ser_entry_access *access, const ser_entry_access *other)
{
    size_t length = ser_own_name_length(access->variable);
    return length == ser_own_name_length(other->variable) &&
           strncmp(access->variable, other->variable, length) == 0;
}

/* To be freed. */
static char *own_name(const ser_entry_access *access)
{
    return ser_copy_text(access->variable, ser_own_name_length(access->variable));
}

static ends find_ends(const ser_entry *entry)
{
    ends found = {0};
    for (size_t i = 0; i < entry->accesses.count; i++) {
        const ser_entry_access *access = &entry->accesses.items[i];
        if (access->in_block) {
            found.first = found.first ? found.first : access;
            found.last = access;
        } else if (!found.between) {
            found.between = access;
        }
    }
    return found;
}

/* Does another thread write (or only read) the variable of the access? */
static bool others_use(const ser_entry *entry, const ser_entry_access *variable, bool to_write)
{
    for (size_t i = 0; i < entry->accesses.count; i++) {
        const ser_entry_access *access = &entry->accesses.items[i];
        if (!access->in_block && access->is_write == to_write && is_of(access, variable))
            return true;
    }
    return false;
}

static bool frees(const ser_entry *entry)
{
    for (size_t i = 0; i < entry->accesses.count; i++)
        if (strcmp(entry->accesses.items[i].operation, "frees") == 0)
            return true;
    return false;
}

/* Both ends of the block use one variable. */
static bool write_of_one(const ser_entry *entry, const ends *of, const char *block, FILE *file)
{
    const char *other = of->between->thread;
    char *variable = own_name(of->first);
    bool written = others_use(entry, of->first, true), said = true;
    if (!of->first->is_write && of->last->is_write && written)
        fprintf(file, "So %s overwrites what %s has written.", block, other);
    else if (!of->first->is_write && !of->last->is_write && written)
        fprintf(file, "What %s knew of %s from the first read is out of date.", block, variable);
    else if (of->first->is_write && !of->last->is_write && written)
        fprintf(file, "So %s does not find in %s what it has left there.", block, variable);
    else if (of->first->is_write && of->last->is_write && !written)
        fprintf(file, "So %s saw %s before %s was done with it.", other, variable, block);
    else
        said = false;
    free(variable);
    return said;
}

/* They use two. */
static bool write_of_two(const ser_entry *entry, const ends *of, const char *block, FILE *file)
{
    const char *other = of->between->thread;
    char *one = own_name(of->first), *two = own_name(of->last);
    bool said = true;
    bool writes_one = others_use(entry, of->first, true);
    bool writes_two = others_use(entry, of->last, true);
    bool reads_one = others_use(entry, of->first, false);
    bool reads_two = others_use(entry, of->last, false);
    if (!of->first->is_write && !of->last->is_write && writes_one && writes_two)
        fprintf(file, "So %s has %s from before a change by %s, and %s from after it.", block, one,
                other, two);
    else if (of->first->is_write && of->last->is_write && reads_one && reads_two && !writes_one &&
             !writes_two)
        fprintf(file, "So %s saw %s after the change by %s, and %s before it.", other, one, block,
                two);
    else if (of->first->is_write && of->last->is_write && writes_one && writes_two)
        fprintf(file, "So %s is left as %s has written it, and %s as %s has.", one, other, two,
                block);
    else
        said = false;
    free(one);
    free(two);
    return said;
}

void ser_entry_write_meaning(const ser_entry *entry, FILE *file)
{
    ends of = find_ends(entry);
    char *block = ser_entry_block_name(entry);
    bool is_plain = of.first && of.between && of.first != of.last && !frees(entry);
    bool said = false;
    if (is_plain)
        said = is_of(of.first, of.last) ? write_of_one(entry, &of, block, file)
                                        : write_of_two(entry, &of, block, file);
    if (!said)
        fprintf(file, "If %s were atomic, no other thread could come between.", block);
    free(block);
}
