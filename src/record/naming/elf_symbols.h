/* SPDX-License-Identifier: MIT */
/*
 * elf_symbols.h - the names of global variables, from the ELF files of a program.
 *
 * Names are unique: where several modules or files have a variable of one name,
 * the second says which file it is of, or gets a number. C++ names are demangled
 * if there is a c++filt. Nothing in a file is believed: what does not fit in it
 * is left out. O(log n) a search. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_ELF_SYMBOLS_H
#define SER_RECORD_NAMING_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef struct ser_elf_symbol {
    uint64_t start, end;
    char *name; /* owned */
    char *file; /* source file of a static variable, owned; NULL: unknown */
} ser_elf_symbol;

typedef struct ser_elf_symbols {
    SER_VECTOR(ser_elf_symbol) list; /* sorted by start once ready */
} ser_elf_symbols;

/* Adds the variables of a file that is loaded with this difference between
 * addresses in the program and in the file. False if it cannot be read. */
bool ser_elf_symbols_add(ser_elf_symbols *symbols, const char *path, uint64_t base);

/* Once all files are added. */
void ser_elf_symbols_ready(ser_elf_symbols *symbols);

void ser_elf_symbols_fini(ser_elf_symbols *symbols);

/* The variable at an address, NULL if there is none. */
const ser_elf_symbol *ser_elf_symbols_find(const ser_elf_symbols *symbols, uint64_t address);

#endif
