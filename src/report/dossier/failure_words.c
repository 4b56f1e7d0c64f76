/* SPDX-License-Identifier: MIT */
/* What a failure of the program is called, and what is known of it, from what the result says. */
#include <inttypes.h>
#include <stdio.h>

#include "bugs/own_code.h"
#include "report/dossier/dossier.h"
#include "report/source_line.h"

static char *check(char *text)
{
    if (!text)
        ser_out_of_memory(0);
    return text;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static const char *location_in(const ser_json_node *from, const char *key)
{
    return ser_short_location(or_empty(ser_json_text_in(from, key)));
}

char *ser_failure_title(const ser_entry *entry)
{
    const ser_json_node *from = entry->failure;
    uint64_t signal = ser_json_number_in(from, "signal"), status = ser_json_number_in(from, "exit");
    /* where the library was last says nothing about a program that has returned */
    bool is_exit = strcmp(entry->kind, "exit") == 0;
    const char *location = is_exit && ser_is_library_place(entry->location) ? "" : entry->location;
    const char *open = *location ? " (" : "", *close = *location ? ")" : "";
    char *text = NULL;
    int length;
    if (strcmp(entry->kind, "deadlock") == 0)
        length = asprintf(&text, "The program deadlocks%s%s%s", open, location, close);
    else if (signal)
        length = asprintf(&text, "Signal %" PRIu64 " (%s) ends the program%s%s%s", signal,
                          or_empty(strsignal((int)signal)), open, location, close);
    else if (strcmp(entry->kind, "exception") == 0)
        length = asprintf(&text, "An exception that nobody catches ends a thread%s%s%s", open,
                          location, close);
    else if (is_exit)
        length = asprintf(&text, "The program ends with another status, %" PRIu64 "%s%s%s", status,
                          open, location, close);
    else
        length = asprintf(&text, "The program fails: %s%s%s%s", entry->kind, open, location, close);
    return check(length < 0 ? NULL : text);
}

/* As in the picture, if there is one. To be freed. */
static char *name_plainly(const ser_entry *entry, const char *variable)
{
    if (!entry->picture.run)
        return ser_make_plain_name(variable, true);
    const char *name = ser_plain_name_of(entry->picture.names, variable);
    return ser_copy_text(name, strlen(name));
}

/* "T1 read x = 5 at a.c:3 (4 in a good run), which T2 had written at a.c:9." */
static char *describe_read(const ser_entry *entry, const ser_json_node *from, const char *variable)
{
    char *value = ser_describe_value(ser_json_number_in(from, "value"));
    char *expected = ser_describe_value(ser_json_number_in(from, "expected"));
    char *name = name_plainly(entry, variable), *text = NULL;
    const char *writer = ser_json_text_in(from, "writer");
    int length = asprintf(&text, "%s read %s = %s at %s (%s in a good run)%s%s%s%s.",
                          or_empty(ser_json_text_in(from, "thread")), name, value,
                          location_in(from, "location"), expected, writer ? ", which " : "",
                          or_empty(writer), writer ? " had written at " : "",
                          writer ? location_in(from, "written_at") : "");
    free(value);
    free(expected);
    free(name);
    return check(length < 0 ? NULL : text);
}

static char *describe_difference(const ser_entry *entry, const ser_json_node *from)
{
    const char *variable = ser_json_text_in(from, "variable");
    const char *expected = location_in(from, "expected_location");
    char *text = NULL;
    if (variable && *variable)
        return describe_read(entry, from, variable);
    int length = asprintf(&text, "%s went to %s%s%s.", or_empty(ser_json_text_in(from, "thread")),
                          location_in(from, "location"),
                          *expected ? " where a good run goes to " : "", expected);
    return check(length < 0 ? NULL : text);
}

static char *end_sentence(char *text)
{
    char *longer = NULL;
    if (asprintf(&longer, "%s.", text) < 0)
        longer = NULL;
    free(text);
    return check(longer);
}

static char *describe_waits(const ser_entry *entry)
{
    const char *what = strcmp(entry->kind, "deadlock") == 0 ? "All threads wait for ever"
                       : strcmp(entry->kind, "exception") == 0
                           ? "An exception ends a thread"
                           : "Memory is used after it was freed";
    char *text = ser_copy_text(what, strlen(what));
    for (size_t i = 0; i < entry->waits.count; i++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s %s", text, i ? ";" : ":", entry->waits.items[i]) < 0)
            longer = NULL;
        free(text);
        text = check(longer);
    }
    return end_sentence(text);
}

/* The last access of the thread in which a signal ended the program; NULL: not known. */
static const ser_picture_step *last_access(const ser_entry *entry, const char *thread)
{
    const ser_picture *picture = &entry->picture;
    for (size_t i = picture->run ? picture->steps.count : 0; i-- > 0;) {
        const ser_event *event = &picture->run->events[picture->steps.items[i].event];
        const char *name = ser_symbols_name(picture->run->symbols, SER_SPACE_THREAD, event->thread);
        if (strcmp(name, thread) == 0)
            return ser_op_is_access((ser_op)event->op) ? &picture->steps.items[i] : NULL;
    }
    return NULL;
}

/* "The last recorded step, of T2 at q.cc:12, reads queue->head = 0, which T1 had written at
 * q.cc:9." To be freed; NULL: it is not known. */
static char *describe_end(const ser_entry *entry)
{
    const char *thread = or_empty(ser_json_text_in(entry->failure, "thread"));
    bool died = ser_json_number_in(entry->failure, "signal") != 0;
    const ser_picture_step *step = died ? last_access(entry, thread) : NULL;
    char *text = NULL;
    if (!step)
        return NULL;
    const ser_run *run = entry->picture.run;
    const char *location = ser_symbols_location(run->symbols, run->events[step->event].site);
    char *does = ser_describe_step(run, entry->picture.names, step->event);
    int length = asprintf(&text, "The last recorded step, of %s%s%s, %s.", thread,
                          *location ? " at " : "", ser_short_location(location), does);
    free(does);
    return check(length < 0 ? NULL : text);
}

char *ser_failure_lead(const ser_entry *entry)
{
    const ser_json_node *difference = ser_json_member(entry->failure, "difference");
    if (entry->waits.count)
        return describe_waits(entry);
    char *end = describe_end(entry), *start = NULL, *text = NULL;
    if (difference && difference->kind == SER_JSON_OBJECT)
        start = describe_difference(entry, difference);
    int length = asprintf(&text, "%s%s%s%s", or_empty(end), end && start ? " " : "",
                          start ? "The first difference from a good run: " : "", or_empty(start));
    free(end);
    free(start);
    return check(length < 0 ? NULL : text);
}
