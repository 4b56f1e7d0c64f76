/* SPDX-License-Identifier: MIT */
/*
 * The same bug, found by several results, is one entry: the most certain of them, which then lists
 * all the results that have it. Ids say what is the same (bugs/naming.h).
 */
#include <stdio.h>

#include "report/dossier/dossier.h"

static int certainty_of(const ser_entry *entry)
{
    if (ser_entry_was_seen(entry))
        return 2;
    return strcmp(entry->status, "predicted") == 0;
}

static bool tells_more(const ser_entry *entry, const ser_entry *than)
{
    int one = certainty_of(entry), other = certainty_of(than);
    return one != other ? one > other : entry->picture.run && !than->picture.run;
}

bool ser_entry_is_of(const ser_entry *entry, size_t result)
{
    for (size_t i = 0; i < entry->results.count; i++)
        if (entry->results.items[i] == result)
            return true;
    return false;
}

/* Both become the one that has more; what is left of the other is freed. */
static void absorb(ser_entry *kept, ser_entry *other)
{
    if (tells_more(other, kept)) {
        ser_entry both = *kept;
        *kept = *other;
        *other = both;
    }
    kept->blocks += other->blocks;
    for (size_t i = 0; i < other->results.count; i++)
        if (!ser_entry_is_of(kept, other->results.items[i]))
            ser_vector_push(&kept->results, other->results.items[i]);
    ser_entry_fini(other);
}

static bool are_same(const ser_entry *one, const ser_entry *other)
{
    return *one->id && strcmp(one->id, other->id) == 0 && strcmp(one->kind, other->kind) == 0;
}

const char *ser_dossier_program_of(const ser_dossier *dossier, size_t result)
{
    for (size_t i = 0; i < dossier->runs.count; i++) {
        const ser_dossier_run *run = &dossier->runs.items[i];
        if (run->result == result)
            return *run->program ? run->program : run->trace;
    }
    return "";
}

/* The programs of its results, without the one that it is reported for; NULL: there are none. */
static const char *list_others(ser_dossier *dossier, const ser_entry *entry)
{
    char *text = NULL;
    size_t size = 0;
    if (entry->results.count < 2)
        return NULL;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    for (size_t i = 0; i < entry->results.count; i++) {
        const char *program = ser_dossier_program_of(dossier, entry->results.items[i]);
        if (entry->results.items[i] == entry->result || strcmp(program, entry->program) == 0)
            continue;
        fwrite(", ", 1, ftell(file) > 0 ? 2 : 0, file);
        fwrite(program, 1, strlen(program), file);
    }
    fclose(file);
    return ser_dossier_keep(dossier, text);
}

void ser_dossier_unite(ser_dossier *dossier)
{
    size_t left = 0;
    for (size_t i = 0; i < dossier->entries.count; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        size_t same = 0;
        while (same < left && !are_same(&dossier->entries.items[same], entry))
            same++; /* no more than SER_DOSSIER_MOST */
        if (same < left)
            absorb(&dossier->entries.items[same], entry);
        else
            dossier->entries.items[left++] = *entry;
    }
    dossier->entries.count = left;
    for (size_t i = 0; i < left; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        const char *others = list_others(dossier, entry);
        entry->also = others && *others ? others : NULL;
    }
}
