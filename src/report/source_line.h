/* SPDX-License-Identifier: MIT */
/*
 * source_line.h - the line of source that a location names.
 */
#ifndef SER_REPORT_SOURCE_LINE_H
#define SER_REPORT_SOURCE_LINE_H

#include <stdint.h>
#include <stdio.h>

/* "bank.c:42" and "bank.c:42:7" to their file and line: the length of the file's name
 * and *line; 0 if it is no such location. */
int ser_split_location(const char *location, uint32_t *line);

/* The same with the column; 0 if the location has none. */
int ser_split_place(const char *location, uint32_t *line, uint32_t *column);

/* The location as people and editors want it: from the current folder on, where it lies there.
 * Compilers name files as build systems do, in full or as seen from a folder for the build. Points
 * into the location. */
const char *ser_short_location(const char *location);

/* The same, and only the last part of a header of the system: for columns. */
const char *ser_brief_location(const char *location);

/* A source file for reading, or NULL. Locations come from traces that may be forged, and
 * reports are passed on: only regular files that are named like source are opened. */
FILE *ser_open_source(const char *path);

/* The text of that line without the blanks around it, or NULL if the file cannot be
 * read (from the current folder). To be freed. */
char *ser_source_line(const char *location);

/* The short location with the column at which the line names the variable ("alice.balance": where
 * it has `balance`): "bank.c:42:7". Without it if the line cannot be read, or names it more or less
 * than once. To be freed. */
char *ser_locate_name(const char *location, const char *name);

#endif
