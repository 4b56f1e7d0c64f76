/* SPDX-License-Identifier: MIT */
/*
 * Schedules from text: a header of keys and values in a fixed order, then one line per run. Blank
 * lines and lines that start with '#' may stand anywhere.
 */
#include <inttypes.h>
#include <stdio.h>

#include "trace/io/lines.h"
#include "witness/schedule.h"

typedef struct parser {
    ser_schedule *schedule;
    ser_lines lines;
    ser_span line;            /* the current one; its text is NULL at the end */
    const char *complaint;    /* what is wrong with it */
    SER_VECTOR(char) scratch; /* for unescaping */
} parser;

static ser_status fail(const parser *at, ser_error *error)
{
    char shown[100];
    ser_span_quote(at->line, shown, sizeof shown);
    return ser_fail(error, SER_INPUT, "%s:%" PRIu64 ": %s in \"%s\"",
                    ser_input_name(at->lines.input), at->lines.number, at->complaint, shown);
}

static bool complain(parser *at, const char *what)
{
    at->complaint = what;
    return false;
}

static bool is_nothing(ser_span line)
{
    return line.length == 0 || line.text[0] == '#';
}

/* The next line that says something. */
static ser_status next_line(parser *at, ser_error *error)
{
    do {
        if (ser_lines_take(&at->lines, &at->line))
            continue;
        ser_status status = ser_lines_refill(&at->lines, &at->line, error);
        if (status != SER_OK || !at->line.text)
            return status;
    } while (is_nothing(at->line));
    return SER_OK;
}

/* Takes the first word off; an empty one at the end. */
static ser_span take_word(ser_span *rest)
{
    size_t start = 0;
    while (start < rest->length && rest->text[start] == ' ')
        start++;
    size_t end = start;
    while (end < rest->length && rest->text[end] != ' ')
        end++;
    ser_span word = {rest->text + start, end - start};
    *rest = (ser_span){rest->text + end, rest->length - end};
    return word;
}

static bool is_word(ser_span word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool parse_number(ser_span word, uint32_t *number)
{
    uint64_t value = 0;
    if (word.length == 0 || word.length > 10)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(word.text[i] - '0');
    }
    *number = (uint32_t)value;
    return value > 0 && value < UINT32_MAX;
}

static int digit_value(char digit)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* "-" stands for no text, "%" for an empty one. */
static bool parse_name(parser *at, ser_span word, uint32_t *name)
{
    *name = SER_NO_NAME;
    if (word.length == 0)
        return complain(at, "a word is missing");
    if (is_word(word, "-"))
        return true;
    at->scratch.count = 0;
    for (size_t i = 0; i < word.length && !is_word(word, "%"); i++) {
        if (word.text[i] != '%') {
            ser_vector_push(&at->scratch, word.text[i]);
            continue;
        }
        int high = i + 2 < word.length ? digit_value(word.text[i + 1]) : -1;
        int low = i + 2 < word.length ? digit_value(word.text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return complain(at, "malformed escape");
        ser_vector_push(&at->scratch, (char)(high << 4 | low));
        i += 2;
    }
    *name = ser_names_add(at->schedule->names, at->scratch.count ? at->scratch.items : "",
                          at->scratch.count);
    return true;
}

/* "3..17" */
static bool parse_range(parser *at, ser_span word, ser_schedule_run *run)
{
    const char *dots = word.length ? memmem(word.text, word.length, "..", 2) : NULL;
    if (!dots)
        return complain(at, "first..last is missing");
    size_t before = (size_t)(dots - word.text);
    ser_span first = {word.text, before}, last = {dots + 2, word.length - before - 2};
    if (!parse_number(first, &run->first) || !parse_number(last, &run->last))
        return complain(at, "malformed event number");
    return true;
}

/* "w(x)", or "begin" without an operand */
static bool parse_operation(parser *at, ser_span word, ser_schedule_run *run)
{
    const char *open = word.length ? memchr(word.text, '(', word.length) : NULL;
    size_t length = open ? (size_t)(open - word.text) : word.length;
    run->operand = SER_NO_NAME;
    run->op = ser_op_by_name(word.text, length);
    if (run->op == SER_OP_COUNT)
        return complain(at, "unknown operation");
    if (!open)
        return true;
    if (word.text[word.length - 1] != ')')
        return complain(at, "the operand has no end");
    ser_span operand = {open + 1, word.length - length - 2};
    return parse_name(at, operand, &run->operand);
}

/* The marks repeat what the header says. */
static bool check_marks(parser *at, ser_span word, uint32_t event)
{
    char marks[4];
    snprintf(marks, sizeof marks, "%s%s", ser_schedule_is_on_path(at->schedule, event) ? "*" : "",
             ser_schedule_is_broken(at->schedule, event) ? "!" : "");
    return is_word(word, marks) || complain(at, "marks that the header does not agree with");
}

static bool parse_run(parser *at)
{
    ser_span rest = at->line;
    ser_schedule_run run = {0};
    if (!parse_name(at, take_word(&rest), &run.thread))
        return false;
    if (!parse_number(take_word(&rest), &run.steps))
        return complain(at, "malformed number of steps");
    if (!parse_range(at, take_word(&rest), &run) || !parse_operation(at, take_word(&rest), &run) ||
        !parse_name(at, take_word(&rest), &run.location) ||
        !check_marks(at, take_word(&rest), run.last))
        return false;
    ser_vector_push(&at->schedule->runs, run);
    return take_word(&rest).length == 0 || complain(at, "too many words");
}

static bool parse_events(parser *at, ser_span rest, ser_event_list *events)
{
    for (ser_span word; (word = take_word(&rest)).length > 0;) {
        uint32_t event;
        if (!parse_number(word, &event))
            return complain(at, "malformed event number");
        ser_vector_push(events, event);
    }
    return true;
}

static bool parse_criterion(parser *at, ser_span word)
{
    at->schedule->serializability = is_word(word, "serializability");
    return at->schedule->serializability || is_word(word, "path") ||
           complain(at, "unknown criterion");
}

/* The value of the key that must stand here. */
static bool parse_header(parser *at, const char *key)
{
    ser_span rest = at->line;
    if (!is_word(take_word(&rest), key))
        return complain(at, "another line of the header was expected");
    if (strcmp(key, "path") == 0)
        return parse_events(at, rest, &at->schedule->path);
    if (strcmp(key, "broken") == 0)
        return parse_events(at, rest, &at->schedule->broken);
    ser_span word = take_word(&rest);
    if (take_word(&rest).length > 0)
        return complain(at, "too many words");
    if (strcmp(key, "trace") == 0)
        return parse_name(at, word, &at->schedule->trace);
    if (strcmp(key, "criterion") == 0)
        return parse_criterion(at, word);
    if (strcmp(key, "block") == 0)
        return parse_number(word, &at->schedule->block) || complain(at, "malformed event number");
    return is_word(word, "1") || complain(at, "unknown version of the format");
}

static ser_status read_header(parser *at, ser_error *error)
{
    static const char *const keys[] = {"seriatim-schedule", "trace", "block",
                                       "criterion",         "path",  "broken"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ser_status status = next_line(at, error);
        if (status != SER_OK)
            return status;
        if (!at->line.text)
            return ser_fail(error, SER_INPUT, "%s: the line \"%s\" is missing",
                            ser_input_name(at->lines.input), keys[i]);
        if (!parse_header(at, keys[i]))
            return fail(at, error);
    }
    return SER_OK;
}

static ser_status read_runs(parser *at, ser_error *error)
{
    for (;;) {
        ser_status status = next_line(at, error);
        if (status != SER_OK || !at->line.text)
            return status;
        if (!parse_run(at))
            return fail(at, error);
    }
}

ser_status ser_schedule_read(ser_schedule *schedule, ser_input *input, ser_error *error)
{
    *schedule = (ser_schedule){.names = ser_names_create()};
    parser at = {.schedule = schedule};
    ser_lines_init(&at.lines, input);
    ser_status status = read_header(&at, error);
    if (status == SER_OK)
        status = read_runs(&at, error);
    if (status == SER_OK && schedule->runs.count == 0)
        status = ser_fail(error, SER_INPUT, "%s: no thread takes a step", ser_input_name(input));
    ser_vector_free(&at.scratch);
    return status;
}
