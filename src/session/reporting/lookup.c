/* SPDX-License-Identifier: MIT */
#include "session/reporting/lookup.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "session/reporting/reporting.h"
#include "session/reporting/result_files.h"

enum { FEWEST_DIGITS = 4 };

bool ser_is_id(const char *text)
{
    size_t digits = strspn(text, "0123456789abcdef");
    size_t rest = text[digits] == '-' ? strspn(text + digits + 1, "0123456789") + 1 : 0;
    return digits >= FEWEST_DIGITS && rest != 1 && text[digits + rest] == '\0';
}

static bool has_id(const ser_json_node *item, const char *id, bool whole)
{
    const char *text = ser_json_text_in(item, "id");
    return text && (whole ? strcmp(text, id) : strncmp(text, id, strlen(id))) == 0;
}

/* The entry itself, or one of its other places; NULL: none has the id. */
static const ser_json_node *find_place(const ser_json_node *entry, const char *id, bool whole)
{
    const ser_json_node *other = ser_json_first(ser_json_member(entry, "others"));
    if (has_id(entry, id, whole))
        return entry;
    while (other && !has_id(other, id, whole))
        other = other->next;
    return other;
}

static const ser_json_node *find_in(const ser_json_node *list, const char *id, bool whole,
                                    const ser_json_node *known, bool *several)
{
    for (const ser_json_node *item = ser_json_first(list); item; item = item->next) {
        if (!find_place(item, id, whole))
            continue;
        *several |= known != NULL;
        known = item;
    }
    return known;
}

/* An exact match takes precedence over an id that only begins with the text. */
static const ser_json_node *find_entry(const ser_json_node *root, const char *id, bool *several)
{
    const ser_json_node *found = NULL;
    for (int whole = 1; whole >= 0 && !found; whole--) {
        found = find_in(ser_json_member(root, "violations"), id, whole, NULL, several);
        found = find_in(ser_json_member(root, "failures"), id, whole, found, several);
    }
    return found;
}

/* "463d135d80, 2ec381ef50" */
static void list_ids(const ser_json_node *list, char *text, size_t size)
{
    for (const ser_json_node *item = ser_json_first(list); item; item = item->next) {
        size_t length = strlen(text);
        const char *id = ser_json_text_in(item, "id");
        snprintf(text + length, size - length, "%s%s", length ? ", " : "", id ? id : "");
    }
}

static ser_status complain(const ser_json_node *root, const char *path, const char *id,
                           bool several, ser_error *error)
{
    char known[256] = "";
    list_ids(ser_json_member(root, "violations"), known, sizeof known);
    list_ids(ser_json_member(root, "failures"), known, sizeof known);
    if (!*known)
        return ser_fail(error, SER_INPUT, "%s: nothing was found, so there is no %s", path, id);
    return ser_fail(error, SER_INPUT, "%s: %s the id %s; there are: %s", path,
                    several ? "several findings have" : "no finding has", id, known);
}

static void take(ser_lookup *found, const char *folder, const ser_json_node *entry,
                 const ser_json_node *place)
{
    const ser_json_node *root = ser_json_root(found->tree);
    const char *trace = ser_json_text_in(place, "trace");
    const char *schedule = ser_json_text_in(place, "schedule");
    const char *atomic = ser_json_text_in(root, "atomic");
    const ser_json_node *argv = ser_json_member(ser_json_member(root, "program"), "argv");
    found->id = ser_json_text_in(entry, "id");
    found->trace = trace ? ser_result_find_file(folder, trace) : NULL;
    found->schedule = schedule ? ser_result_find_file(folder, schedule) : NULL;
    found->atomic = atomic ? atomic : "auto";
    found->block = ser_json_number_in(place, "block");
    for (const ser_json_node *word = ser_json_first(argv); word; word = word->next)
        ser_vector_push(&found->command, word->text);
    ser_vector_push(&found->command, NULL);
}

static ser_status find_in_folder(ser_lookup *found, const char *folder, const char *id,
                                 bool is_part, ser_error *error);

/* In the first of the parts of a merged folder that has it. The tree of the folder itself, which
 * `found` has, is given up. */
static ser_status find_in_parts(ser_lookup *found, const char *folder, const char *id,
                                ser_error *error)
{
    ser_json_tree *merged = found->tree;
    ser_status status = ser_fail(error, SER_INPUT, "%s: no finding has the id %s", folder, id);
    const ser_json_node *part = ser_json_first(ser_json_member(ser_json_root(merged), "results"));
    found->tree = NULL;
    for (; part && status != SER_OK; part = part->next) {
        char *path = ser_result_part(folder, part);
        ser_error ignored;
        if (!path)
            continue;
        ser_lookup_fini(found);
        status = find_in_folder(found, path, id, true, &ignored);
        free(path);
    }
    ser_json_tree_destroy(merged);
    return status;
}

static ser_status find_in_folder(ser_lookup *found, const char *folder, const char *id,
                                 bool is_part, ser_error *error)
{
    char path[4096];
    bool several = false;
    *found = (ser_lookup){0};
    snprintf(path, sizeof path, "%s/result.json", folder);
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return ser_fail(error, SER_INPUT,
                        "%s is missing: run seriatim run first, or name the output folder of an "
                        "earlier run with --folder",
                        path);
    ser_status status = ser_json_tree_load(&found->tree, path, error);
    if (status != SER_OK)
        return status;
    if (!is_part && ser_json_member(ser_json_root(found->tree), "results"))
        return find_in_parts(found, folder, id, error);
    const ser_json_node *entry = find_entry(ser_json_root(found->tree), id, &several);
    if (!entry || several)
        return complain(ser_json_root(found->tree), path, id, several, error);
    const ser_json_node *place = find_place(entry, id, true);
    take(found, folder, entry, place ? place : find_place(entry, id, false));
    return SER_OK;
}

ser_status ser_lookup_find(ser_lookup *found, const char *folder, const char *id, ser_error *error)
{
    return find_in_folder(found, folder, id, false, error);
}

void ser_lookup_fini(ser_lookup *found)
{
    ser_json_tree_destroy(found->tree);
    free(found->trace);
    free(found->schedule);
    ser_vector_free(&found->command);
    *found = (ser_lookup){0};
}
