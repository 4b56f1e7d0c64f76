/* SPDX-License-Identifier: MIT */
#include "report/dossier/own_lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/source_line.h"

/* Which lines of a function to look at, and what for. */
typedef struct search {
    const char *file; /* as in the location; of that length */
    int length;
    uint32_t first, last; /* last 0: to the function's end */
    const char *word;
    size_t word_length;
    bool is_call; /* a parenthesis follows the word */
} search;

static const char *location_of(const ser_run *run, uint32_t event)
{
    return ser_symbols_location(run->symbols, run->events[event].site);
}

static bool is_of_word(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

static bool has_word(const search *wanted, const char *line)
{
    const char *found = line;
    while ((found = strstr(found, wanted->word))) {
        const char *end = found + wanted->word_length;
        bool is_whole = (found == line || !is_of_word(found[-1])) && !is_of_word(*end);
        end += strspn(end, " ");
        if (is_whole && (!wanted->is_call || *end == '(' || *end == '<'))
            return true;
        found++;
    }
    return false;
}

/* The only line that has the word; 0: none, or several. */
static uint32_t find_line(const search *wanted)
{
    enum { LONGEST = 500 }; /* lines of a function */
    char *path = ser_copy_text(wanted->file, (size_t)wanted->length);
    FILE *file = ser_open_source(ser_short_location(path));
    char *line = NULL;
    size_t size = 0;
    uint32_t number = 0, found = 0, count = 0;
    uint32_t last = wanted->last ? wanted->last : wanted->first + LONGEST;
    while (file && number < last && getline(&line, &size, file) >= 0) {
        number++;
        if (number < wanted->first)
            continue;
        if (!wanted->last && number > wanted->first && *line == '}')
            break;
        if (has_word(wanted, line)) {
            found = number;
            count++;
        }
    }
    if (file)
        fclose(file);
    free(line);
    free(path);
    return count == 1 ? found : 0;
}

/* The line of an event, if it is in that file. */
static uint32_t line_in(const ser_run *run, uint32_t event, const search *wanted)
{
    uint32_t line = 0;
    const char *location = event ? location_of(run, event) : "";
    int length = ser_split_location(location, &line);
    bool is_same =
        length && length == wanted->length && strncmp(location, wanted->file, (size_t)length) == 0;
    return is_same ? line : 0;
}

static char *search_around(const ser_run *run, uint32_t caller, uint32_t event, search *wanted)
{
    uint32_t defined = 0;
    char *text = NULL;
    wanted->file = location_of(run, caller);
    wanted->length = ser_split_location(wanted->file, &defined);
    if (!wanted->length || !wanted->word_length)
        return NULL;
    uint32_t before = line_in(run, ser_own_before(run, caller, event), wanted);
    uint32_t after = line_in(run, ser_own_after(run, caller, event), wanted);
    bool is_in_loop = before && after && after < before;
    wanted->first = before && !is_in_loop ? before : defined + 1;
    wanted->last = is_in_loop ? 0 : after;
    uint32_t line = find_line(wanted);
    if (line && asprintf(&text, "%.*s:%" PRIu32, wanted->length, wanted->file, line) < 0)
        ser_out_of_memory(0);
    return text;
}

/* The last part of a function's name, without template arguments: "find" of "a::map<int>::find". */
static char *plain_function(const char *name)
{
    size_t length = strcspn(name, "<(");
    const char *end = name + length, *start = end;
    while (start > name && is_of_word(start[-1]))
        start--;
    return ser_copy_text(start, (size_t)(end - start));
}

/* As the trace has it; NULL: it does not, or the caller is not the one that was asked for. */
static char *recorded_call_line(const ser_run *run, uint32_t caller, uint32_t call)
{
    uint32_t line, site = ser_run_called_at(run, call);
    const char *location = ser_symbols_location(run->symbols, site);
    int length = ser_split_location(location, &line);
    char *text = NULL;
    bool is_callers = ser_symbols_site_function(run->symbols, site) == run->events[caller].object;
    if (is_callers && length && asprintf(&text, "%.*s:%" PRIu32, length, location, line) < 0)
        ser_out_of_memory(0);
    return text;
}

char *ser_find_call_line(const ser_run *run, uint32_t caller, uint32_t call)
{
    char *recorded = recorded_call_line(run, caller, call);
    if (recorded)
        return recorded;
    char *name = plain_function(
        ser_symbols_name(run->symbols, SER_SPACE_FUNCTION, run->events[call].object));
    search wanted = {.word = name, .word_length = strlen(name), .is_call = true};
    char *found = search_around(run, caller, call, &wanted);
    free(name);
    return found;
}

/* What the program calls a container: "ids" of "registry.ids._M_header". */
static char *container_of(const char *variable)
{
    const char *end = strstr(variable, "._M");
    if (!end)
        end = variable + strcspn(variable, "+[{ ");
    const char *start = end;
    while (start > variable && is_of_word(start[-1]))
        start--;
    return ser_copy_text(start, (size_t)(end - start));
}

/* Does the line hold more than a brace, and is it no comment? */
static bool has_code(const char *location)
{
    char *line = ser_source_line(location);
    bool has = line && strlen(line) > 1 && strncmp(line, "//", 2) != 0;
    free(line);
    return has;
}

/* A library that is called after a lock was taken, and before something happens in a later line, is
 * called behind the lock: in the first line there that has code. NULL: it is not so. */
static char *search_behind_lock(const ser_run *run, uint32_t call, uint32_t event)
{
    uint32_t defined = 0, before = ser_own_before(run, call, event);
    search wanted = {.file = location_of(run, call)};
    wanted.length = ser_split_location(wanted.file, &defined);
    if (!wanted.length || !before || !ser_op_acquires((ser_op)run->events[before].op))
        return NULL;
    uint32_t line = line_in(run, before, &wanted);
    uint32_t last = line_in(run, ser_own_after(run, call, event), &wanted);
    while (line && ++line < last) {
        char *text = NULL;
        if (asprintf(&text, "%.*s:%" PRIu32, wanted.length, wanted.file, line) < 0)
            ser_out_of_memory(0);
        if (has_code(text))
            return text;
        free(text);
    }
    return NULL;
}

char *ser_own_location(const ser_run *run, const ser_plain_names *names, uint32_t event)
{
    const ser_event *about = &run->events[event];
    const char *variable = ser_plain_name(names, ser_op_space((ser_op)about->op), about->object);
    const char *location = location_of(run, event);
    if (!ser_is_library_place(location))
        return ser_locate_name(location, variable);
    uint32_t call = ser_own_call(run, event), own = ser_own_event(run, event);
    char *word = container_of(variable);
    search wanted = {.word = word, .word_length = strlen(word)};
    char *found = call ? search_around(run, call, event, &wanted) : NULL;
    free(word);
    if (!found && call)
        found = search_behind_lock(run, call, event);
    if (found) {
        char *brief = ser_locate_name(found, "");
        free(found);
        return brief;
    }
    return ser_locate_name(own ? location_of(run, own) : location, "");
}
