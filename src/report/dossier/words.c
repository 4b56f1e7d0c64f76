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

/* What the block is called. */
static void say_block(words *into, const ser_entry *entry)
{
    if (*entry->label)
        say(into, entry->label);
    else if (*entry->function) {
        say(into, entry->function);
        say(into, "()");
    } else
        say(into, "the block");
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
    say_block(&title, entry);
    if (*entry->location) {
        say(&title, " (");
        say(&title, entry->location);
        say(&title, ")");
    }
    say(&title, " is not atomic");
    return finish(&title, dossier);
}

/* --- the lead ------------------------------------------------------------------- */

static const char *in_the_past(const ser_entry_access *access)
{
    static const char *const verbs[][2] = {
        {"reads", "read"},   {"writes", "wrote"},      {"updates", "updated"},
        {"locks", "locked"}, {"unlocks", "unlocked"},  {"starts", "started"},
        {"joins", "joined"}, {"frees", "freed"},       {"posts", "posted"},
        {"takes", "took"},   {"signals", "signalled"}, {"waits for", "waited for"},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(access->operation, verbs[i][0]) == 0)
            return verbs[i][1];
    return access->operation;
}

/* "read alice.balance = 100 (recorded run: 70) at bank.c:37" */
static void say_access(words *into, const ser_entry_access *access)
{
    say(into, in_the_past(access));
    say(into, " ");
    say(into, access->variable);
    if (*access->value) {
        say(into, " = ");
        say(into, access->value);
    }
    if (*access->was && strcmp(access->was, access->value) != 0) {
        say(into, " (");
        say(into, access->was);
        say(into, " in the recorded run)");
    }
    if (*access->location) {
        say(into, " at ");
        say(into, ser_brief_location(access->location));
    }
}

static bool same_side(const ser_entry_access *one, const ser_entry_access *other)
{
    return one->in_block == other->in_block && strcmp(one->thread, other->thread) == 0;
}

static void say_who(words *into, const ser_entry *entry, const ser_entry_access *access)
{
    say(into, access->thread);
    if (access->in_block) {
        say(into, ", in ");
        say_block(into, entry);
        say(into, ",");
    } else if (*access->function) {
        say(into, ", in ");
        say(into, access->function);
        say(into, "(),");
    }
}

static const char *make_lead(ser_dossier *dossier, const ser_entry *entry)
{
    words lead;
    start(&lead);
    for (size_t i = 0; i < entry->accesses.count; i++) {
        const ser_entry_access *access = &entry->accesses.items[i];
        bool goes_on = i > 0 && same_side(access, access - 1);
        if (i > 0)
            say(&lead, goes_on ? " and " : "; then ");
        if (!goes_on) {
            say_who(&lead, entry, access);
            say(&lead, " ");
        }
        say_access(&lead, access);
    }
    if (entry->accesses.count) {
        say(&lead, ". These steps cannot come in this order if ");
        say_block(&lead, entry);
        say(&lead, " runs as one step.");
        if (entry->memory_error) {
            say(&lead, " This is a ");
            say(&lead, entry->memory_error);
            say(&lead, ".");
        }
    }
    return finish(&lead, dossier);
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

void ser_dossier_finish(ser_dossier *dossier)
{
    for (size_t i = 0; i < dossier->entries.count; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        if (entry->failure) {
            entry->title = ser_dossier_keep(dossier, ser_failure_title(entry));
            entry->lead = ser_dossier_keep(dossier, ser_failure_lead(entry));
        } else {
            entry->title = make_title(dossier, entry);
            entry->lead = make_lead(dossier, entry);
        }
        entry->certainty = why_it_is_known(entry);
    }
}
