/* SPDX-License-Identifier: MIT */
/*
 * Schedules as text. Words are aligned in columns for people; blanks within a word are escaped.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/output/show.h"
#include "witness/schedule.h"

typedef SER_VECTOR(char) text_buffer;

enum { THREAD, STEPS, EVENTS, OPERATION, LOCATION, COLUMNS };

static const char *const HEADINGS[COLUMNS] = {"# thread", "steps", "first..last", "last step",
                                              "location"};

/* Texts of one line, NUL-terminated, and how wide they are at most. */
typedef struct table {
    text_buffer cells[COLUMNS];
    size_t widths[COLUMNS];
} table;

static void put(ser_output *output, const char *text)
{
    ser_output_write(output, text, strlen(text));
}

static bool needs_escape(char byte)
{
    return byte == ' ' || byte == '%' || byte == '#';
}

static void append(text_buffer *to, const char *text)
{
    for (; *text; text++)
        ser_vector_push(to, *text);
}

static void terminate(text_buffer *text)
{
    ser_vector_push(text, '\0');
    text->count--;
}

/* "-" stands for no text, "%" for an empty one. */
static void append_name(text_buffer *to, const ser_names *names, uint32_t number)
{
    if (number == SER_NO_NAME) {
        append(to, "-");
        return;
    }
    const char *text = ser_names_text(names, number);
    size_t length = ser_names_length(names, number);
    bool dash = length == 1 && *text == '-';
    if (length == 0)
        append(to, "%");
    for (size_t i = 0, harmless = 0; i < length; i++) {
        char escaped[4];
        if (i >= harmless)
            harmless = i + ser_harmless_length(text + i, length - i);
        if (i >= harmless || needs_escape(text[i]) || dash) {
            snprintf(escaped, sizeof escaped, "%%%02X", (unsigned char)text[i]);
            append(to, escaped);
        } else {
            ser_vector_push(to, text[i]);
        }
    }
}

static void append_number(text_buffer *to, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32, number);
    append(to, text);
}

static void describe(const ser_schedule *schedule, const ser_schedule_run *run, table *line)
{
    for (int i = 0; i < COLUMNS; i++)
        line->cells[i].count = 0;
    append_name(&line->cells[THREAD], schedule->names, run->thread);
    append_number(&line->cells[STEPS], run->steps);
    append_number(&line->cells[EVENTS], run->first);
    append(&line->cells[EVENTS], "..");
    append_number(&line->cells[EVENTS], run->last);
    append(&line->cells[OPERATION], ser_op_name(run->op));
    if (run->operand != SER_NO_NAME) {
        append(&line->cells[OPERATION], "(");
        append_name(&line->cells[OPERATION], schedule->names, run->operand);
        append(&line->cells[OPERATION], ")");
    }
    append_name(&line->cells[LOCATION], schedule->names, run->location);
    for (int i = 0; i < COLUMNS; i++)
        terminate(&line->cells[i]);
}

static void measure(const ser_schedule *schedule, table *lines)
{
    enum { WIDEST = 40 };
    for (int i = 0; i < COLUMNS; i++)
        lines->widths[i] = strlen(HEADINGS[i]);
    for (size_t i = 0; i < schedule->runs.count; i++) {
        describe(schedule, &schedule->runs.items[i], lines);
        for (int j = 0; j < COLUMNS; j++)
            if (lines->cells[j].count > lines->widths[j])
                lines->widths[j] = lines->cells[j].count < WIDEST ? lines->cells[j].count : WIDEST;
    }
}

/* Also what is wider than its column ends with blanks. */
static void write_cell(ser_output *output, const char *text, size_t width)
{
    put(output, text);
    put(output, "  ");
    for (size_t i = strlen(text); i < width; i++)
        put(output, " ");
}

static void write_run(const ser_schedule *schedule, ser_output *output, table *lines,
                      const ser_schedule_run *run)
{
    bool on_path = ser_schedule_is_on_path(schedule, run->last);
    bool broken = ser_schedule_is_broken(schedule, run->last);
    describe(schedule, run, lines);
    for (int i = 0; i < LOCATION; i++)
        write_cell(output, lines->cells[i].items, lines->widths[i]);
    if (on_path || broken)
        write_cell(output, lines->cells[LOCATION].items, lines->widths[LOCATION]);
    else
        put(output, lines->cells[LOCATION].items);
    put(output, on_path ? "*" : "");
    put(output, broken ? "!" : "");
    put(output, "\n");
}

static void write_events(ser_output *output, const char *key, const ser_event_list *events)
{
    char text[16];
    put(output, key);
    for (size_t i = 0; i < events->count; i++) {
        snprintf(text, sizeof text, " %" PRIu32, events->items[i]);
        put(output, text);
    }
    put(output, "\n");
}

static void write_header(const ser_schedule *schedule, ser_output *output)
{
    char block[32];
    text_buffer trace = {0};
    append_name(&trace, schedule->names, schedule->trace);
    terminate(&trace);
    snprintf(block, sizeof block, "block %" PRIu32 "\n", schedule->block);
    put(output, "seriatim-schedule 1\ntrace ");
    put(output, trace.items);
    put(output, "\n");
    put(output, block);
    put(output, "criterion ");
    put(output, schedule->serializability ? "serializability\n" : "path\n");
    write_events(output, "path", &schedule->path);
    write_events(output, "broken", &schedule->broken);
    ser_vector_free(&trace);
}

void ser_schedule_write(const ser_schedule *schedule, ser_output *output)
{
    table lines = {0};
    measure(schedule, &lines);
    write_header(schedule, output);
    put(output, "\n# *: on the violation path; !: a read that gets another value than observed\n");
    for (int i = 0; i < LOCATION; i++)
        write_cell(output, HEADINGS[i], lines.widths[i]);
    put(output, HEADINGS[LOCATION]);
    put(output, "\n");
    for (size_t i = 0; i < schedule->runs.count; i++)
        write_run(schedule, output, &lines, &schedule->runs.items[i]);
    for (int i = 0; i < COLUMNS; i++)
        ser_vector_free(&lines.cells[i]);
}
