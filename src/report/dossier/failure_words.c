/* SPDX-License-Identifier: MIT */
/* What a failure of the program is called, and what is known of it, from what the result says. */
#include <inttypes.h>
#include <stdio.h>

#include "report/dossier/dossier.h"

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

/* "T1 read x = 5 at a.c:3 (4 in a good run), which T2 had written at a.c:9." */
static char *describe_read(const ser_json_node *from, const char *variable)
{
    char *value = ser_describe_value(ser_json_number_in(from, "value"));
    char *expected = ser_describe_value(ser_json_number_in(from, "expected"));
    char *name = ser_make_plain_name(variable, true), *text = NULL;
    const char *writer = ser_json_text_in(from, "writer");
    const char *written_at = ser_json_text_in(from, "written_at");
    int length = asprintf(&text, "%s read %s = %s at %s (%s in a good run)%s%s%s%s.",
                          or_empty(ser_json_text_in(from, "thread")), name, value,
                          or_empty(ser_json_text_in(from, "location")), expected,
                          writer ? ", which " : "", or_empty(writer),
                          writer ? " had written at " : "", writer ? or_empty(written_at) : "");
    free(value);
    free(expected);
    free(name);
    return check(length < 0 ? NULL : text);
}

static char *describe_difference(const ser_json_node *from)
{
    const char *variable = ser_json_text_in(from, "variable");
    const char *expected = ser_json_text_in(from, "expected_location");
    char *text = NULL;
    if (variable && *variable)
        return describe_read(from, variable);
    int length = asprintf(&text, "%s went to %s%s%s.", or_empty(ser_json_text_in(from, "thread")),
                          or_empty(ser_json_text_in(from, "location")),
                          expected ? " where a good run goes to " : "", or_empty(expected));
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

char *ser_failure_lead(const ser_entry *entry)
{
    const ser_json_node *difference = ser_json_member(entry->failure, "difference");
    if (entry->waits.count)
        return describe_waits(entry);
    if (difference && difference->kind == SER_JSON_OBJECT)
        return describe_difference(difference);
    return ser_copy_text("", 0);
}
