/* SPDX-License-Identifier: MIT */
/* Title, lead and certainty of each entry: what the reader of any report sees first. */
#include <inttypes.h>
#include <stdio.h>

#include "report/dossier/dossier.h"
#include "report/source_line.h"

/* A text that is made with fprintf: it is not printed, so nothing is escaped yet. */
typedef struct words {
    char *text;
    size_t size;
    FILE *file;
} words;

static void start(words *into)
{
    *into = (words){0};
    into->file = open_memstream(&into->text, &into->size);
    if (!into->file)
        ser_out_of_memory(0);
}

static void say(words *into, const char *text)
{
    fwrite(text, 1, strlen(text), into->file);
}

static const char *finish(words *into, ser_dossier *dossier)
{
    fclose(into->file);
    return ser_dossier_keep(dossier, into->text);
}

/* Of a function the block is. */
static const char *which_part(const char *atomic)
{
    if (strcmp(atomic, "functions") == 0)
        return "";
    if (strcmp(atomic, "compounds") == 0)
        return "an assignment in ";
    return strcmp(atomic, "rounds") == 0 ? "a round of the loop in " : "a block in ";
}

static const char *make_title(ser_dossier *dossier, const ser_entry *entry)
{
    words title;
    start(&title);
    if (!*entry->label && *entry->function)
        say(&title, which_part(entry->atomic));
    char *name = ser_entry_block_name(entry);
    say(&title, name);
    free(name);
    if (*entry->location) {
        say(&title, " (");
        say(&title, entry->location);
        say(&title, ")");
    }
    say(&title, " is not atomic");
    return finish(&title, dossier);
}

static const char *why_it_is_known(const ser_entry *entry)
{
    if (strcmp(entry->status, "observed") == 0)
        return "Observed: it happened in a recorded run.";
    if (strcmp(entry->status, "confirmed") == 0)
        return "Confirmed: the program was forced into this order, and it happened.";
    if (strcmp(entry->reason, "refuted") == 0)
        return "Not confirmed: when the program was forced into this order, a thread took another "
               "path, and the block was not violated.";
    if (strcmp(entry->reason, "untested") == 0)
        return "Not confirmed: the program could not be brought into this order, so that the "
               "prediction stays untested.";
    if (strcmp(entry->status, "not confirmed") == 0)
        return "Not confirmed: the program did not go through the predicted order when it was "
               "forced to.";
    return "Predicted: the recorded run was correct, but its steps can also happen in this order.";
}

/* " (title)" of the finding with that id; nothing if it is not one of these. */
static void say_title(words *into, const ser_dossier *dossier, const char *id)
{
    for (size_t i = 0; i < dossier->entries.count; i++) {
        if (strcmp(dossier->entries.items[i].id, id) != 0)
            continue;
        say(into, " (");
        say(into, dossier->entries.items[i].title);
        say(into, ")");
    }
}

/* Once all have their titles: a failure that another finding leads to, or has to do with, says so
 * first. */
static void name_causes(ser_dossier *dossier)
{
    for (size_t i = 0; i < dossier->entries.count; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        const char *cause = entry->failure ? ser_json_text_in(entry->failure, "cause") : NULL;
        words lead;
        if (!cause || !*cause)
            continue;
        start(&lead);
        say(&lead, ser_json_bool_in(entry->failure, "sameData")
                       ? "It is decided by the data of finding "
                       : "A consequence of finding ");
        say(&lead, cause);
        say_title(&lead, dossier, cause);
        say(&lead, *entry->lead ? ". " : ".");
        say(&lead, entry->lead);
        entry->lead = finish(&lead, dossier);
    }
}

void ser_dossier_finish(ser_dossier *dossier)
{
    for (size_t i = 0; i < dossier->entries.count; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        if (entry->failure) {
            entry->title = ser_dossier_keep(dossier, ser_failure_title(entry));
            entry->lead = ser_dossier_keep(dossier, ser_failure_lead(entry));
        } else {
            entry->title = make_title(dossier, entry);
            entry->lead = ser_dossier_keep(dossier, ser_entry_make_lead(entry));
        }
        entry->certainty = why_it_is_known(entry);
    }
    name_causes(dossier);
}
