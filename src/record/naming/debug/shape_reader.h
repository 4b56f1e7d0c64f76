/* SPDX-License-Identifier: MIT */
/*
 * shape_reader.h - the shapes of a program's variables, from DWARF in its own files.
 *
 * Files are read when a variable is first asked for, each once: O(entries of its DWARF), up to a
 * limit. Nothing in a file is believed. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_DEBUG_SHAPE_READER_H
#define SER_RECORD_NAMING_DEBUG_SHAPE_READER_H

#include "record/naming/debug/shapes.h"

typedef struct ser_shape_reader ser_shape_reader;

ser_shape_reader *ser_shape_reader_create(void);
void ser_shape_reader_destroy(ser_shape_reader *reader);

/* A file that is loaded with this difference between addresses in the program and in the file. */
void ser_shape_reader_add(ser_shape_reader *reader, const char *path, uint64_t base);

/* Of the variable that starts at the address; SER_NO_SHAPE: not known. */
uint32_t ser_shape_of_global(ser_shape_reader *reader, uint64_t address);

/* Of a local variable, by "tellers of main()"; SER_NO_SHAPE also if there are several that
 * differ. */
uint32_t ser_shape_of_local(ser_shape_reader *reader, const char *name, size_t length);

/* Of a structure, by its name without scope: "account"; SER_NO_SHAPE also if there are several.
 * Known are those that variables and parameters have, or point to. */
uint32_t ser_shape_of_type(ser_shape_reader *reader, const char *name, size_t length);

const ser_shapes *ser_shape_reader_shapes(const ser_shape_reader *reader);

#endif
