/* SPDX-License-Identifier: MIT */
/*
 * A line of the file is a rule: terms that must all hold.
 *
 *     id:463d135d80
 *     atomicity:transfer variable:"balance of *"
 *     sequence:balance_of,transfer,balance_of
 */
#include "report/suppress/suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>

#include "base/output/log.h"
#include "report/source_line.h"

typedef struct term {
    char *name, *value;
} term;

typedef struct rule {
    char *file; /* where it stands */
    size_t line;
    char *text;
    bool used;
    bool is_baseline;
    SER_VECTOR(term) terms;
} rule;

struct ser_suppressions {
    SER_VECTOR(rule) rules;
};

ser_suppressions *ser_suppressions_create(void)
{
    return ser_alloc(1, sizeof(ser_suppressions));
}

static void fini_rule(rule *of)
{
    for (size_t i = 0; i < of->terms.count; i++) {
        free(of->terms.items[i].name);
        free(of->terms.items[i].value);
    }
    ser_vector_free(&of->terms);
    free(of->file);
    free(of->text);
}

void ser_suppressions_destroy(ser_suppressions *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->rules.count; i++)
        fini_rule(&list->rules.items[i]);
    ser_vector_free(&list->rules);
    free(list);
}

/* --- reading ---------------------------------------------------------------------- */

static const char *const kinds[] = {"atomicity", "deadlock", "signal",         "crash",
                                    "exit",      "output",   "use-after-free", "double-free",
                                    "hang",      "failure",  "exception"};

static bool is_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], name) == 0)
            return true;
    return false;
}

static bool is_term(const char *name)
{
    return strcmp(name, "id") == 0 || strcmp(name, "variable") == 0 ||
           strcmp(name, "sequence") == 0 || is_kind(name);
}

/* One term, NAME:VALUE or NAME:"VALUE"; *at moves behind it. False: it is none. */
static bool read_term(const char **at, term *into)
{
    const char *colon = strchr(*at, ':');
    if (!colon || colon == *at || memchr(*at, ' ', (size_t)(colon - *at)))
        return false;
    const char *value = colon + 1, *end;
    if (*value == '"') {
        end = strchr(++value, '"');
        if (!end || (end[1] && end[1] != ' '))
            return false;
    } else {
        end = value + strcspn(value, " ");
    }
    if (end == value)
        return false;
    into->name = ser_copy_text(*at, (size_t)(colon - *at));
    into->value = ser_copy_text(value, (size_t)(end - value));
    *at = end + (*end == '"');
    return true;
}

static ser_status add_rule(ser_suppressions *list, const char *path, size_t number,
                           const char *text, ser_error *error)
{
    rule made = {.file = ser_copy_text(path, strlen(path)),
                 .line = number,
                 .text = ser_copy_text(text, strlen(text))};
    ser_status status = SER_OK;
    while (status == SER_OK && *(text += strspn(text, " \t"))) {
        term next;
        if (!read_term(&text, &next)) {
            status = ser_fail(error, SER_INPUT, "%s:%zu: expected NAME:VALUE, or NAME:\"VALUE\"",
                              path, number);
            break;
        }
        ser_vector_push(&made.terms, next);
        if (!is_term(next.name))
            status = ser_fail(error, SER_INPUT,
                              "%s:%zu: unknown name \"%s\" (id, variable, "
                              "sequence, atomicity, deadlock, signal, ...)",
                              path, number, next.name);
    }
    if (status == SER_OK)
        ser_vector_push(&list->rules, made);
    else
        fini_rule(&made);
    return status;
}

ser_status ser_suppressions_read(ser_suppressions *list, const char *path, ser_error *error)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0, number = 0;
    ser_status status = SER_OK;
    if (!file)
        return ser_fail(error, SER_INPUT, "%s: %s", path, strerror(errno));
    while (status == SER_OK && getline(&line, &size, file) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        const char *text = line + strspn(line, " \t");
        if (*text && *text != '#')
            status = add_rule(list, path, number, text, error);
    }
    free(line);
    fclose(file);
    return status;
}

static void add_baseline(ser_suppressions *list, const char *path, const char *id)
{
    rule made = {.file = ser_copy_text(path, strlen(path)),
                 .text = ser_copy_text(id, strlen(id)),
                 .is_baseline = true};
    term only = {ser_copy_text("id", 2), ser_copy_text(id, strlen(id))};
    ser_vector_push(&made.terms, only);
    ser_vector_push(&list->rules, made);
}

ser_status ser_suppressions_read_baseline(ser_suppressions *list, const char *path,
                                          ser_error *error)
{
    ser_json_tree *tree;
    ser_status status = ser_json_tree_load(&tree, path, error);
    if (status != SER_OK)
        return status;
    const ser_json_node *runs = ser_json_member(ser_json_root(tree), "runs");
    if (!runs)
        status = ser_fail(error, SER_INPUT, "%s: not a SARIF report", path);
    for (const ser_json_node *run = ser_json_first(runs); run; run = run->next) {
        const ser_json_node *result = ser_json_first(ser_json_member(run, "results"));
        for (; result; result = result->next) {
            const char *id =
                ser_json_text_in(ser_json_member(result, "partialFingerprints"), "seriatim/v1");
            const ser_json_node *other =
                ser_json_first(ser_json_member(ser_json_member(result, "properties"), "others"));
            if (id)
                add_baseline(list, path, id);
            for (; other; other = other->next)
                add_baseline(list, path, ser_json_text_of(other));
        }
    }
    ser_json_tree_destroy(tree);
    return status;
}

/* --- matching ---------------------------------------------------------------------- */

static bool matches(const char *glob, const char *text)
{
    return *text && fnmatch(glob, text, 0) == 0;
}

/* The file of "bank.c:44:7", also as seen from the current folder, and its last part. */
static bool matches_file(const char *glob, const char *location)
{
    char file[4096];
    snprintf(file, sizeof file, "%s", location);
    for (char *colon; (colon = strrchr(file, ':')) && colon[1] >= '0' && colon[1] <= '9';)
        *colon = '\0';
    const char *slash = strrchr(file, '/');
    return matches(glob, file) || matches(glob, ser_short_location(file)) ||
           (slash && matches(glob, slash + 1));
}

static bool matches_access(const char *glob, const ser_suppress_access *access)
{
    char words[1024];
    snprintf(words, sizeof words, "%s %s", access->operation, access->variable);
    return matches(glob, access->function) || matches(glob, access->variable) ||
           matches(glob, words) || matches_file(glob, access->location);
}

/* "a,b,c": accesses that match them come in this order, perhaps with others between. */
static bool matches_sequence(const char *globs, const ser_suppress_subject *subject)
{
    size_t at = 0;
    while (*globs) {
        size_t length = strcspn(globs, ",");
        char *glob = ser_copy_text(globs, length);
        while (at < subject->accesses.count && !matches_access(glob, &subject->accesses.items[at]))
            at++;
        free(glob);
        if (at++ >= subject->accesses.count)
            return false;
        globs += length + (globs[length] == ',');
    }
    return true;
}

static bool matches_variable(const char *glob, const ser_suppress_subject *subject)
{
    for (size_t i = 0; i < subject->variables.count; i++)
        if (matches(glob, subject->variables.items[i]))
            return true;
    for (size_t i = 0; i < subject->accesses.count; i++)
        if (matches(glob, subject->accesses.items[i].variable))
            return true;
    return false;
}

/* "use-after-free" is the kind "use after free"; "failure" is any but atomicity. */
static bool is_of_kind(const char *name, const char *kind)
{
    if (strcmp(name, "failure") == 0)
        return strcmp(kind, "atomicity") != 0;
    for (; *name && (*name == *kind || (*name == '-' && *kind == ' ')); name++)
        kind++;
    return !*name && !*kind;
}

static bool holds(const term *of, const ser_suppress_subject *subject)
{
    if (strcmp(of->name, "id") == 0)
        return strcmp(of->value, subject->id) == 0;
    if (strcmp(of->name, "variable") == 0)
        return matches_variable(of->value, subject);
    if (strcmp(of->name, "sequence") == 0)
        return matches_sequence(of->value, subject);
    return is_of_kind(of->name, subject->kind) &&
           (strcmp(of->value, "*") == 0 || matches(of->value, subject->label) ||
            matches(of->value, subject->function) || matches_file(of->value, subject->location));
}

bool ser_suppressions_match(ser_suppressions *list, const ser_suppress_subject *subject)
{
    bool found = false;
    for (size_t i = 0; i < list->rules.count; i++) {
        rule *here = &list->rules.items[i];
        bool all = true;
        for (size_t k = 0; all && k < here->terms.count; k++)
            all = holds(&here->terms.items[k], subject);
        here->used |= all;
        found |= all;
    }
    return found;
}

void ser_suppressions_warn_unused(const ser_suppressions *list)
{
    size_t gone = 0;
    for (size_t i = 0; i < list->rules.count; i++) {
        const rule *here = &list->rules.items[i];
        gone += here->is_baseline && !here->used;
        if (!here->used && !here->is_baseline)
            ser_warning("%s:%zu: matched nothing: %s", here->file, here->line, here->text);
    }
    if (gone)
        ser_message("%zu finding%s of the baseline not found any more", gone, gone == 1 ? "" : "s");
}
