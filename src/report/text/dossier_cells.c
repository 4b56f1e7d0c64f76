/* SPDX-License-Identifier: MIT */
#include "report/text/dossier_cells.h"

#include <stdio.h>

#include "base/output/show.h"
#include "report/dossier/own_lines.h"
#include "report/source_line.h"

static size_t append(char *text, size_t length, const char *more)
{
    int added = snprintf(text + length, SER_CELL_SIZE - length, "%s", more);
    length += added > 0 ? (size_t)added : 0;
    return length < SER_CELL_SIZE ? length : SER_CELL_SIZE - 1;
}

static size_t append_value(char *text, size_t length, const char *before, uint64_t value)
{
    char *shown = ser_describe_value(value);
    length = append(text, append(text, length, before), shown);
    free(shown);
    return length;
}

/* " (T2's, was 180)" */
static size_t append_origin(const ser_run *run, const ser_picture_step *step, char *text,
                            size_t length)
{
    bool foreign =
        step->writer && run->events[step->writer].thread != run->events[step->event].thread;
    bool was = step->flags & SER_STEP_HAD_VALUE &&
               !(step->flags & SER_STEP_HAS_VALUE && step->was == step->value);
    if (!foreign && !was)
        return length;
    length = append(text, length, " (");
    if (foreign) {
        length = append(text, length,
                        ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD,
                                               run->events[step->writer].thread));
        length = append(text, length, was ? "'s, " : "'s");
    }
    if (was)
        length = append_value(text, length, "was ", step->was);
    return append(text, length, ")");
}

void ser_picture_cell(const ser_picture *picture, const ser_picture_step *step,
                      char cell[SER_CELL_SIZE])
{
    const ser_event *event = &picture->run->events[step->event];
    ser_op op = (ser_op)event->op;
    ser_shown shown = {0};
    const char *name = ser_plain_name(picture->names, ser_op_space(op), event->object);
    ser_show(&shown, name, strlen(name));
    ser_shown_append(&shown, "", 1);
    size_t length = append(cell, append(cell, 0, ser_op_verb(op)), *shown.items ? " " : "");
    length = append(cell, length, shown.items);
    ser_vector_free(&shown);
    if (step->flags & SER_STEP_HAS_VALUE)
        length = append_value(cell, length, " = ", step->value);
    if (ser_op_reads(op) && step->flags & (SER_STEP_ON_PATH | SER_STEP_CHANGED))
        append_origin(picture->run, step, cell, length);
}

void ser_cell_shorten(char *text, size_t width)
{
    static const char dots[] = "..";
    size_t length = strlen(text), head = width / 3, tail = width - head - (sizeof dots - 1);
    if (length <= width)
        return;
    memcpy(text + head, dots, sizeof dots - 1);
    memmove(text + width - tail, text + length - tail, tail + 1);
}

char *ser_picture_location(const ser_picture *picture, const ser_picture_step *step)
{
    char *raw = ser_own_location(picture->run, picture->names, step->event);
    const char *brief = ser_brief_location(raw);
    ser_shown shown = {0};
    ser_show(&shown, brief, strlen(brief));
    ser_shown_append(&shown, "", 1);
    free(raw);
    return shown.items;
}

char *ser_picture_source(const ser_picture *picture, const ser_picture_step *step)
{
    char *location = ser_own_location(picture->run, picture->names, step->event);
    char *line = ser_source_line(location);
    free(location);
    return line;
}
