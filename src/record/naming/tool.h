/* SPDX-License-Identifier: MIT */
/*
 * tool.h - asks a program such as c++filt: lines in, lines out.
 *
 *     ser_tool_add(&ask, "_Z1f");
 *     if (ser_tool_run(command, &ask, &answer))
 *         while ((line = ser_tool_next(&answer))) ...
 */
#ifndef SER_RECORD_NAMING_TOOL_H
#define SER_RECORD_NAMING_TOOL_H

#include <stdbool.h>

#include "base/vector.h"

/* All zero is empty. */
typedef struct ser_tool_lines {
    SER_VECTOR(char) text;
    size_t at; /* of the next line to be read */
} ser_tool_lines;

void ser_tool_add(ser_tool_lines *lines, const char *line);

/* The next line, without its end; NULL after the last. Valid as long as lines. */
const char *ser_tool_next(ser_tool_lines *lines);

void ser_tool_lines_fini(ser_tool_lines *lines);

/* Runs the program, found by PATH, to its end. False if it could not be run or
 * failed. What it says on standard error is not shown. */
bool ser_tool_run(char *const command[], const ser_tool_lines *ask, ser_tool_lines *answer);

#endif
