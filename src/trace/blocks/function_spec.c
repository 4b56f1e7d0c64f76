/* SPDX-License-Identifier: MIT */
/*
 * Two lists of shell patterns, tried on the whole name of a function, on the name without its
 * parameter list, and on that without the arguments of templates.
 */
#include "trace/blocks/function_spec.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>

#include "base/cxx_names.h"
#include "base/vector.h"

typedef SER_VECTOR(char *) patterns;

struct ser_function_spec {
    patterns included;
    patterns excluded;
    bool has_places;
};

static void free_patterns(patterns *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    ser_vector_free(list);
}

void ser_function_spec_destroy(ser_function_spec *spec)
{
    if (!spec)
        return;
    free_patterns(&spec->included);
    free_patterns(&spec->excluded);
    free(spec);
}

/* Cuts blanks off both ends. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static ser_status add_line(ser_function_spec *spec, char *line, const char *path, size_t number,
                           ser_error *error)
{
    char *text = trim(line);
    if (*text == '\0' || *text == '#')
        return SER_OK;
    patterns *list = &spec->included;
    if (*text == '-') {
        list = &spec->excluded;
        text = trim(text + 1);
    }
    if (*text == '\0')
        return ser_fail(error, SER_INPUT, "%s:%zu: no function name after '-'", path, number);
    ser_vector_push(list, ser_copy_text(text, strlen(text)));
    spec->has_places |= strchr(text, '@') != NULL;
    return SER_OK;
}

static ser_status add_lines(ser_function_spec *spec, FILE *file, const char *path, ser_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ser_status status = SER_OK;
    for (size_t number = 1; !status && getline(&line, &capacity, file) >= 0; number++)
        status = add_line(spec, line, path, number, error);
    free(line);
    if (!status && ferror(file))
        status = ser_fail(error, SER_INPUT, "%s: cannot read the list of atomic functions: %s",
                          path, strerror(errno));
    return status;
}

ser_status ser_function_spec_read(ser_function_spec **spec, const char *path, ser_error *error)
{
    *spec = NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return ser_fail(error, SER_INPUT, "%s: cannot open the list of atomic functions: %s", path,
                        strerror(errno));
    ser_function_spec *made = ser_alloc(1, sizeof *made);
    ser_status status = add_lines(made, file, path, error);
    fclose(file);
    if (status) {
        ser_function_spec_destroy(made);
        return status;
    }
    *spec = made;
    return SER_OK;
}

/* Equality is tried first, since names such as operator[] are no good patterns. */
static bool matches(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t size = strlen(end);
    return length >= size && memcmp(text + length - size, end, size) == 0;
}

/* Where the arguments of a template that begin at `open` end; `open` if they are none. */
static const char *end_of_arguments(const char *name, const char *open)
{
    int depth = 0;
    size_t before = (size_t)(open - name);
    if (ends_with(name, before, "operator") || ends_with(name, before, "operator<"))
        return open;
    for (const char *at = open; *at; at++) {
        if (*at == '<')
            depth++;
        else if (*at == '>' && --depth == 0)
            return at + 1;
    }
    return open;
}

/* Cache<int, long>::get becomes Cache::get. */
static void drop_template_arguments(char *name)
{
    char *to = name;
    for (const char *from = name; *from;) {
        const char *next = *from == '<' ? end_of_arguments(name, from) : from;
        if (next == from)
            *to++ = *next++;
        from = next;
    }
    *to = '\0';
}

/* What patterns are tried on. */
typedef struct name_forms {
    const char *whole, *place;
    char *plain;    /* without parameters */
    char *function; /* and, if the function is a template, without its arguments */
    char *template; /* without the arguments of all templates */
} name_forms;

/* Cache<int>::get<long> becomes Cache<int>::get. */
static void drop_own_arguments(char *name)
{
    for (char *open = strchr(name, '<'); open; open = strchr(open + 1, '<')) {
        const char *end = end_of_arguments(name, open);
        if (end > open && *end == '\0')
            *open = '\0';
        else if (end > open)
            open += end - open - 1;
    }
}

static name_forms open_forms(const char *function, const char *place)
{
    size_t length = ser_length_without_parameters(function);
    name_forms forms = {.whole = function,
                        .place = place,
                        .plain = ser_copy_text(function, length),
                        .function = ser_copy_text(function, length),
                        .template = ser_copy_text(function, length)};
    drop_own_arguments(forms.function);
    drop_template_arguments(forms.template);
    return forms;
}

static void close_forms(name_forms *forms)
{
    free(forms->plain);
    free(forms->function);
    free(forms->template);
}

static bool names_form(const char *pattern, const name_forms *forms)
{
    return matches(pattern, forms->whole) || matches(pattern, forms->plain) ||
           matches(pattern, forms->function) || matches(pattern, forms->template);
}

/* "account.cc:17" is "src/bank/account.cc:17". */
static bool is_place(const char *pattern, const char *place)
{
    size_t length = strlen(place), end = strlen(pattern);
    return matches(pattern, place) ||
           (ends_with(place, length, pattern) && length > end && place[length - end - 1] == '/');
}

static bool names(const char *pattern, const name_forms *forms)
{
    const char *at = strrchr(pattern, '@');
    if (!at)
        return names_form(pattern, forms);
    char *name = ser_copy_text(pattern, (size_t)(at - pattern));
    bool named = is_place(at + 1, forms->place) && names_form(name, forms);
    free(name);
    return named;
}

static bool some_names(const patterns *list, const name_forms *forms)
{
    for (size_t i = 0; i < list->count; i++)
        if (names(list->items[i], forms))
            return true;
    return false;
}

size_t ser_function_spec_lines(const ser_function_spec *spec)
{
    return spec->included.count;
}

const char *ser_function_spec_line(const ser_function_spec *spec, size_t line)
{
    return spec->included.items[line];
}

bool ser_function_spec_has_places(const ser_function_spec *spec)
{
    return spec->has_places;
}

bool ser_function_spec_line_names(const ser_function_spec *spec, size_t line, const char *function,
                                  const char *place)
{
    name_forms forms = open_forms(function, place);
    bool named = names(spec->included.items[line], &forms);
    close_forms(&forms);
    return named;
}

bool ser_function_spec_names(const ser_function_spec *spec, const char *function, const char *place)
{
    name_forms forms = open_forms(function, place);
    bool named = some_names(&spec->included, &forms) && !some_names(&spec->excluded, &forms);
    close_forms(&forms);
    return named;
}
