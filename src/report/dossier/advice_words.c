/* SPDX-License-Identifier: MIT */
#include "report/dossier/advice_words.h"

#include <inttypes.h>
#include <string.h>

#include "bugs/naming.h"
#include "bugs/own_code.h"
#include "report/dossier/own_lines.h"
#include "report/short_function.h"
#include "report/source_line.h"

static bool is_in_file(const ser_advice *work, const char *location, int length)
{
    return length && length == work->file_length &&
           strncmp(location, work->file, (size_t)length) == 0;
}

uint32_t ser_advice_line(const ser_advice *work, uint32_t event)
{
    uint32_t line = 0;
    char *location = ser_own_location(work->run, work->names, event);
    int length = ser_split_location(location, &line);
    line = is_in_file(work, location, length) ? line : 0;
    free(location);
    return line;
}

/* "line 12", or "list.c:12" in another file than the block. */
static void write_location(const ser_advice *work, const char *location)
{
    uint32_t line;
    int length = ser_split_location(location, &line);
    const char *brief = ser_brief_location(location);
    int skipped = (int)(brief - location);
    if (is_in_file(work, location, length))
        fprintf(work->text, "line %" PRIu32, line);
    else if (length > skipped)
        fprintf(work->text, "%.*s:%" PRIu32, length - skipped, brief, line);
    else
        fputs(brief, work->text);
}

void ser_advice_place(const ser_advice *work, uint32_t event)
{
    char *location = ser_own_location(work->run, work->names, event);
    write_location(work, location);
    free(location);
}

void ser_advice_function(const ser_advice *work, uint32_t event)
{
    uint32_t own = ser_own_event(work->run, event);
    const char *name = ser_bug_function(work->run->symbols, &work->run->events[own ? own : event]);
    char *brief = ser_short_function(name);
    if (*brief)
        fprintf(work->text, "%s()", brief);
    else
        fputs("the other thread", work->text);
    free(brief);
}

/* The call by which the block's function leads to the event; 0: it is its own. */
uint32_t ser_advice_way(const ser_advice *work, uint32_t event)
{
    uint32_t way = ser_call_towards(work->run, work->call, event);
    bool is_own = way && !ser_is_library_place(
                             ser_symbols_location(work->run->symbols, work->run->events[way].site));
    return is_own ? way : 0;
}

/* "line 12", "the call of get() (line 12)" */
static void write_end(const ser_advice *work, uint32_t event)
{
    uint32_t way = ser_advice_way(work, event);
    if (!way) {
        ser_advice_place(work, event);
        return;
    }
    char *line = ser_find_call_line(work->run, work->call, way);
    char *function =
        ser_short_function(ser_bug_function(work->run->symbols, &work->run->events[way]));
    fprintf(work->text, "the call of %s()", function);
    if (line) {
        fputs(" (", work->text);
        write_location(work, line);
        fputs(")", work->text);
    }
    free(function);
    free(line);
}

/* Are two calls of the block's function in one line, as far as is known? */
static bool is_one_line(const ser_advice *work, uint32_t one, uint32_t other)
{
    char *first = ser_find_call_line(work->run, work->call, one);
    char *second = ser_find_call_line(work->run, work->call, other);
    bool is_same = !first || !second || strcmp(first, second) == 0;
    free(first);
    free(second);
    return is_same;
}

/* Of what a library does, that of the call. */
static uint32_t own_site(const ser_advice *work, uint32_t event)
{
    uint32_t own = ser_own_event(work->run, event);
    return work->run->events[own ? own : event].site;
}

/* Are both accesses at one place of the block's function, which comes there twice? */
bool ser_advice_is_one_place(const ser_advice *work)
{
    uint32_t one = ser_advice_way(work, work->from), other = ser_advice_way(work, work->to);
    const ser_event *events = work->run->events;
    if (one || other)
        return one && other && events[one].site == events[other].site && one != other &&
               is_one_line(work, one, other);
    return own_site(work, work->from) == own_site(work, work->to);
}

/* Does the block let others in by giving up every lock in between? */
static bool is_taken_anew(const ser_advice *work)
{
    return ser_run_held(work->run, work->from) && ser_run_held(work->run, work->to);
}

/* "from line 8 to line 12" */
void ser_advice_span(const ser_advice *work)
{
    if (ser_advice_is_one_place(work)) {
        fputs(ser_advice_way(work, work->from) ? "over both: " : "over all that it does at ",
              work->text);
        write_end(work, work->from);
        if (ser_advice_way(work, work->from))
            fputs(", and its next call", work->text);
        else if (is_taken_anew(work))
            fputs(", not anew each time", work->text);
        return;
    }
    fputs("from ", work->text);
    write_end(work, work->from);
    fputs(" to ", work->text);
    write_end(work, work->to);
}

void ser_advice_where(const ser_advice *work)
{
    fputs("in ", work->text);
    if (work->call) {
        char *brief = ser_short_function(
            ser_bug_function(work->run->symbols, &work->run->events[work->call]));
        fprintf(work->text, "%s(), ", brief);
        free(brief);
        return;
    }
    ser_advice_function(work, work->from);
    fputs(", ", work->text);
}

/* A lock may be a member of a local variable, whose type the trace does not have: "s of main() in
 * T0" and "+8 of s of main() in T0" are the lock in s. */
void ser_advice_lock(const ser_advice *work, uint32_t lock)
{
    const char *name = ser_symbols_name(work->run->symbols, SER_SPACE_LOCK, lock);
    const char *of = strstr(name, " of "), *in = strstr(name, "() in T");
    bool has_offset =
        *name == '+' && of && strspn(name + 1, "0123456789") == (size_t)(of - name - 1);
    if (has_offset) {
        name = of + strlen(" of ");
        of = strstr(name, " of ");
    }
    bool is_local = of && in && of < in && !memchr(name, ' ', (size_t)(of - name)) &&
                    !memchr(of + 4, ' ', (size_t)(in - of - 4));
    if (is_local)
        fprintf(work->text, "the lock in %.*s", (int)(of - name), name);
    else
        fputs(ser_plain_name(work->names, SER_SPACE_LOCK, lock), work->text);
}
