/* SPDX-License-Identifier: MIT */
/*
 * The values are in an array parallel to the table; ser_arguments_parse walks
 * argv once, and checks a value against its option's kind as it is stored.
 */
#include "base/options/options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options/suggest.h"
#include "base/vector.h"

struct ser_arguments {
    const ser_option *table;
    const char **values; /* one per option; NULL: not given. A flag that was given has "". */
    SER_VECTOR(const char *) operands;
};

/* The position of the parser. */
typedef struct cursor {
    char **next;
    char **end;
} cursor;

static size_t count_options(const ser_option *table)
{
    size_t count = 0;
    while (table[count].name)
        count++;
    return count;
}

static const ser_option *find_by_letter(const ser_option *table, char letter)
{
    for (; table->name; table++)
        if (table->letter == letter)
            return table;
    return NULL;
}

static const ser_option *find_by_name(const ser_option *table, const char *name, size_t length)
{
    for (; table->name; table++)
        if (strlen(table->name) == length && memcmp(table->name, name, length) == 0)
            return table;
    return NULL;
}

static ser_status refuse_unknown(const ser_option *table, const char *name, size_t length,
                                 ser_error *error)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), name);
    ser_suggestion best = {0};
    for (; table->name; table++)
        ser_suggest(&best, word, table->name);
    if (best.word)
        return ser_fail(error, SER_USAGE, "unknown option --%s; did you mean --%s?", word,
                        best.word);
    return ser_fail(error, SER_USAGE, "unknown option --%s", word);
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *choice = choices;; choice++) {
        size_t span = strcspn(choice, "|");
        if (span == length && memcmp(choice, value, length) == 0)
            return true;
        choice += span;
        if (!*choice)
            return false;
    }
}

/* Digits only: strtoull alone would take "-1", " 1" and "". */
static bool parse_number(const char *text, uint64_t *number)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return errno == 0;
}

static bool parse_seconds(const char *text, double *seconds)
{
    if (!*text || text[strspn(text, "0123456789.eE+-")])
        return false;
    char *end;
    *seconds = strtod(text, &end);
    return *end == '\0' && isfinite(*seconds) && *seconds > 0;
}

static ser_status check_value(const ser_option *option, const char *value, ser_error *error)
{
    uint64_t number;
    double seconds;
    switch (option->kind) {
    case SER_OPTION_FLAG:
        break;
    case SER_OPTION_TEXT:
        if (!*value)
            return ser_fail(error, SER_USAGE, "--%s needs a value that is not empty", option->name);
        break;
    case SER_OPTION_NUMBER:
        if (!parse_number(value, &number) || number < option->least || number > option->most)
            return ser_fail(error, SER_USAGE,
                            "--%s needs a whole number from %" PRIu64 " to %" PRIu64 ", not \"%s\"",
                            option->name, option->least, option->most, value);
        break;
    case SER_OPTION_SECONDS:
        if (!parse_seconds(value, &seconds))
            return ser_fail(error, SER_USAGE, "--%s needs a number of seconds above 0, not \"%s\"",
                            option->name, value);
        break;
    case SER_OPTION_CHOICE:
        if (!is_choice(option->choices, value))
            return ser_fail(error, SER_USAGE, "--%s is one of %s, not \"%s\"", option->name,
                            option->choices, value);
        break;
    }
    return SER_OK;
}

static ser_status store(ser_arguments *arguments, const ser_option *option, const char *value,
                        ser_error *error)
{
    ser_status status = check_value(option, value, error);
    if (status == SER_OK)
        arguments->values[option - arguments->table] = value;
    return status;
}

/* The value of an option: what is attached to it, or else the next argument. */
static ser_status store_value(ser_arguments *arguments, const ser_option *option,
                              const char *attached, cursor *at, ser_error *error)
{
    if (!attached && at->next == at->end)
        return ser_fail(error, SER_USAGE, "--%s needs a value (%s)", option->name,
                        option->argument);
    return store(arguments, option, attached ? attached : *at->next++, error);
}

static ser_status parse_long(ser_arguments *arguments, const char *text, cursor *at,
                             ser_error *error)
{
    size_t length = strcspn(text, "=");
    const char *attached = text[length] ? text + length + 1 : NULL;
    const ser_option *option = find_by_name(arguments->table, text, length);
    if (!option)
        return refuse_unknown(arguments->table, text, length, error);
    if (option->kind != SER_OPTION_FLAG)
        return store_value(arguments, option, attached, at, error);
    if (attached)
        return ser_fail(error, SER_USAGE, "--%s takes no value", option->name);
    return store(arguments, option, "", error);
}

/* A letter with its value, or several flags and perhaps one letter with a value. */
static ser_status parse_letters(ser_arguments *arguments, const char *letters, cursor *at,
                                ser_error *error)
{
    ser_status status = SER_OK;
    for (; *letters && status == SER_OK; letters++) {
        const ser_option *option = find_by_letter(arguments->table, *letters);
        if (!option)
            return ser_fail(error, SER_USAGE, "unknown option -%c", *letters);
        if (option->kind != SER_OPTION_FLAG)
            return store_value(arguments, option, letters[1] ? letters + 1 : NULL, at, error);
        status = store(arguments, option, "", error);
    }
    return status;
}

static ser_status parse_all(ser_arguments *arguments, cursor at, ser_error *error)
{
    bool options_ended = false;
    ser_status status = SER_OK;
    while (at.next < at.end && status == SER_OK) {
        const char *text = *at.next++;
        if (options_ended || text[0] != '-' || text[1] == '\0')
            ser_vector_push(&arguments->operands, text);
        else if (strcmp(text, "--") == 0)
            options_ended = true;
        else if (text[1] == '-')
            status = parse_long(arguments, text + 2, &at, error);
        else
            status = parse_letters(arguments, text + 1, &at, error);
    }
    return status;
}

ser_status ser_arguments_parse(ser_arguments **arguments, const ser_option *table, int argc,
                               char **argv, ser_error *error)
{
    ser_arguments *parsed = ser_alloc(1, sizeof *parsed);
    parsed->table = table;
    parsed->values = ser_alloc(count_options(table), sizeof *parsed->values);
    ser_status status = parse_all(parsed, (cursor){argv, argv + argc}, error);
    if (status != SER_OK) {
        ser_arguments_destroy(parsed);
        parsed = NULL;
    }
    *arguments = parsed;
    return status;
}

void ser_arguments_destroy(ser_arguments *arguments)
{
    if (!arguments)
        return;
    ser_vector_free(&arguments->operands);
    free(arguments->values);
    free(arguments);
}

static const ser_option *option_named(const ser_arguments *arguments, const char *name)
{
    const ser_option *option = find_by_name(arguments->table, name, strlen(name));
    ser_check(option);
    return option;
}

bool ser_arguments_knows(const ser_arguments *arguments, const char *name)
{
    return find_by_name(arguments->table, name, strlen(name));
}

bool ser_arguments_given(const ser_arguments *arguments, const char *name)
{
    return arguments->values[option_named(arguments, name) - arguments->table];
}

const char *ser_arguments_any_given(const ser_arguments *arguments, const char *const *names)
{
    while (*names && !ser_arguments_given(arguments, *names))
        names++;
    return *names;
}

const char *ser_arguments_text(const ser_arguments *arguments, const char *name)
{
    const ser_option *option = option_named(arguments, name);
    const char *value = arguments->values[option - arguments->table];
    return value ? value : option->standard;
}

uint64_t ser_arguments_number(const ser_arguments *arguments, const char *name)
{
    uint64_t number = 0;
    const char *text = ser_arguments_text(arguments, name);
    return text && parse_number(text, &number) ? number : 0;
}

double ser_arguments_seconds(const ser_arguments *arguments, const char *name)
{
    double seconds = 0;
    const char *text = ser_arguments_text(arguments, name);
    return text && parse_seconds(text, &seconds) ? seconds : 0;
}

size_t ser_arguments_operand_count(const ser_arguments *arguments)
{
    return arguments->operands.count;
}

const char *ser_arguments_operand(const ser_arguments *arguments, size_t index)
{
    ser_check(index < arguments->operands.count);
    return arguments->operands.items[index];
}
