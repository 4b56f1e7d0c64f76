/* SPDX-License-Identifier: MIT */
/*
 * debug_info.h - what is at the addresses of an ELF file of the program, read by libdw (elfutils).
 *
 * Variables come from the symbol table. Functions and lines come from DWARF, and functions of files
 * without it from the symbol table. What was stripped from a file is looked for where debuggers
 * look for it: by build id and debug link, below /usr/lib/debug, and, if the environment has
 * DEBUGINFOD_URLS, on those servers. Files are not trusted: what cannot be right is ignored.
 *
 * Cost: symbols once per file; functions of a compilation unit once it is asked about, then
 * O(log n) an address. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_DEBUG_DEBUG_INFO_H
#define SER_RECORD_NAMING_DEBUG_DEBUG_INFO_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ser_debug_info ser_debug_info;

/* The file, loaded with this difference between addresses in the program and in the file (0 if
 * it says itself where it is loaded). NULL if it cannot be read, or is no program or library. */
ser_debug_info *ser_debug_info_open(const char *path, uint64_t base);
void ser_debug_info_close(ser_debug_info *info);

typedef struct ser_debug_variable {
    uint64_t start, end;
    const char *name; /* the linker's name */
    const char *file; /* source file of a static variable; NULL: unknown */
} ser_debug_variable;

typedef void (*ser_debug_variable_sink)(void *context, const ser_debug_variable *variable);

/* All variables of the file, in no order. Their texts are valid during the call. */
void ser_debug_info_variables(ser_debug_info *info, ser_debug_variable_sink sink, void *context);

/* Where an instruction comes from. Texts are valid until the file is closed. */
typedef struct ser_debug_place {
    const char *function; /* the innermost, if functions are inlined, the linker's name;
                             NULL: unknown */
    const char *file;     /* NULL: unknown */
    uint32_t line;        /* 0: unknown */
} ser_debug_place;

ser_debug_place ser_debug_info_place(ser_debug_info *info, uint64_t address);

/* The build that the file is: its GNU build id, or a hash of its bytes if it has none, as
 * hexadecimal digits. False, and an empty text, if it cannot be read. */
enum { SER_BUILD_SIZE = 80 };
bool ser_debug_info_build(const char *path, char text[SER_BUILD_SIZE]);

#endif
