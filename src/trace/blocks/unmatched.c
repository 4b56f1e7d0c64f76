/* SPDX-License-Identifier: MIT */
#include "trace/blocks/unmatched.h"

#include "base/options/suggest.h"

static char *copy(const char *text)
{
    return text ? ser_copy_text(text, strlen(text)) : NULL;
}

/* Without the scopes of C++: a user who forgets one has the rest right. */
static const char *last_part(const char *name)
{
    const char *part = name;
    for (const char *at = name; (at = strstr(at, "::")); at += 2)
        part = at + 2;
    return part;
}

static void suggest(ser_suggestion *best, const char *line, const char *name)
{
    if (strcmp(last_part(line), last_part(name)) == 0)
        *best = (ser_suggestion){name, 0};
    else if (!best->word || best->distance > 0)
        ser_suggest(best, line, name);
}

/* Does the line match at any place of the function? */
static bool is_at_some_site(const ser_function_spec *spec, size_t line, const ser_symbols *symbols)
{
    for (uint32_t i = 0; i < ser_symbols_site_count(symbols); i++) {
        uint32_t function = ser_symbols_site_function(symbols, i);
        if (function != SER_NO_OBJECT &&
            ser_function_spec_line_names(spec, line,
                                         ser_symbols_name(symbols, SER_SPACE_FUNCTION, function),
                                         ser_symbols_location(symbols, i)))
            return true;
    }
    return false;
}

/* True if no function matches. */
static bool is_unmatched(const ser_function_spec *spec, size_t line, const ser_symbols *symbols,
                         ser_suggestion *best)
{
    uint32_t count = ser_symbols_count(symbols, SER_SPACE_FUNCTION);
    if (strchr(ser_function_spec_line(spec, line), '@') && is_at_some_site(spec, line, symbols))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        ser_span name = ser_symbols_whole_name(symbols, SER_SPACE_FUNCTION, i);
        if (ser_function_spec_line_names(spec, line, name.text, ""))
            return false;
        suggest(best, ser_function_spec_line(spec, line),
                ser_symbols_name(symbols, SER_SPACE_FUNCTION, i));
    }
    return true;
}

ser_unmatched ser_unmatched_find(const ser_function_spec *spec, const ser_symbols *symbols)
{
    ser_unmatched found = {.lines = spec ? ser_function_spec_lines(spec) : 0};
    for (size_t i = 0; i < found.lines; i++) {
        ser_suggestion best = {0};
        if (!is_unmatched(spec, i, symbols, &best))
            continue;
        ser_unmatched_line line = {copy(ser_function_spec_line(spec, i)), copy(best.word)};
        ser_vector_push(&found.list, line);
    }
    return found;
}

void ser_unmatched_fini(ser_unmatched *unmatched)
{
    for (size_t i = 0; i < unmatched->list.count; i++) {
        free(unmatched->list.items[i].line);
        free(unmatched->list.items[i].nearest);
    }
    ser_vector_free(&unmatched->list);
}

static bool has_line(const ser_unmatched *unmatched, const char *line)
{
    for (size_t i = 0; i < unmatched->list.count; i++)
        if (strcmp(unmatched->list.items[i].line, line) == 0)
            return true;
    return false;
}

void ser_unmatched_keep(ser_unmatched *unmatched, const ser_unmatched *other)
{
    size_t kept = 0;
    for (size_t i = 0; i < unmatched->list.count; i++) {
        ser_unmatched_line line = unmatched->list.items[i];
        if (has_line(other, line.line)) {
            unmatched->list.items[kept++] = line;
        } else {
            free(line.line);
            free(line.nearest);
        }
    }
    unmatched->list.count = kept;
}
