/* SPDX-License-Identifier: MIT */
/* What a failure of the program is called, and what is known of it, from what the result says. */
#include <inttypes.h>
#include <stdio.h>

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
    const char *open = *entry->location ? " (" : "", *close = *entry->location ? ")" : "";
    char *text = NULL;
    int length;
    if (strcmp(entry->kind, "deadlock") == 0)
        length = asprintf(&text, "The program deadlocks%s%s%s", open, entry->location, close);
    else if (signal)
        length = asprintf(&text, "Signal %" PRIu64 " (%s) ends the program%s%s%s", signal,
                          or_empty(strsignal((int)signal)), open, entry->location, close);
    else if (strcmp(entry->kind, "exit") == 0)
        length = asprintf(&text, "The program ends with another status, %" PRIu64 "%s%s%s", status,
                          open, entry->location, close);
    else
        length = asprintf(&text, "The program fails: %s%s%s%s", entry->kind, open, entry->location,
                          close);
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

static char *describe_waits(const ser_entry *entry)
{
    const char *what = strcmp(entry->kind, "deadlock") == 0 ? "All threads wait for ever"
                                                            : "Memory is used after it was freed";
    char *text = ser_copy_text(what, strlen(what));
    for (size_t i = 0; i < entry->waits.count; i++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s %s", text, i ? ";" : ":", entry->waits.items[i]) < 0)
            longer = NULL;
        free(text);
        text = check(longer);
    }
    return text;
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

/* "...; the last step of T2 reads queue->head = 0 at q.cc:12." Takes the text over. */
static char *describe_end(const ser_entry *entry, char *text)
{
    const char *thread = or_empty(ser_json_text_in(entry->failure, "thread"));
    bool died = ser_json_number_in(entry->failure, "signal") != 0;
    const ser_picture_step *step = died ? last_access(entry, thread) : NULL;
    char *longer = NULL;
    if (!step)
        return text;
    const ser_run *run = entry->picture.run;
    const ser_event *event = &run->events[step->event];
    bool known = step->flags & SER_STEP_HAS_VALUE;
    char *value = known ? ser_describe_value(step->value) : ser_copy_text("", 0);
    const char *name = ser_plain_name(entry->picture.names, SER_SPACE_VARIABLE, event->object);
    int length =
        asprintf(&longer, "%s%sThe last recorded step of %s %s %s%s%s at %s.", text,
                 *text ? " " : "", thread, ser_op_verb((ser_op)event->op), name, known ? " = " : "",
                 value, ser_short_location(ser_symbols_location(run->symbols, event->site)));
    free(value);
    free(text);
    return check(length < 0 ? NULL : longer);
}

char *ser_failure_lead(const ser_entry *entry)
{
    const ser_json_node *difference = ser_json_member(entry->failure, "difference");
    if (entry->waits.count)
        return describe_waits(entry);
    if (difference && difference->kind == SER_JSON_OBJECT)
        return describe_end(entry, describe_difference(entry, difference));
    return describe_end(entry, ser_copy_text("", 0));
}
