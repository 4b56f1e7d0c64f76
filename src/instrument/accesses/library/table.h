/* SPDX-License-Identifier: MIT */
/*
 * table.h - how rows of the tables of library functions are written.
 */
#ifndef SER_INSTRUMENT_ACCESSES_LIBRARY_TABLE_H
#define SER_INSTRUMENT_ACCESSES_LIBRARY_TABLE_H

#include "contract/abi.h"
#include "instrument/accesses/library/library.h"

#define F(text, least) .name = (text), .arguments = (least)
#define DOES(...)      .effects = {__VA_ARGS__}

#define R(pointer, measure, argument)                                                              \
    {                                                                                              \
        'r', pointer, SER_SIZE_##measure, argument, 0                                              \
    }
#define W(pointer, measure, argument)                                                              \
    {                                                                                              \
        'w', pointer, SER_SIZE_##measure, argument, 0                                              \
    }

#define RW(pointer, measure, argument) R(pointer, measure, argument), W(pointer, measure, argument)

/* A FILE that is written to, read from; a format, which its arguments follow. */
#define TO(argument)     .file = (argument) + 1, .appends = true
#define FROM(argument)   .file = (argument) + 1
#define PRINTS(argument) .conversions = SER_PRINTS, .format = (argument)
#define SCANS(argument)  .conversions = SER_SCANS, .format = (argument)
#define ANY_FORMAT       .conversions = SER_ANY_FORMAT

/* Those of libstdc++ (library_table_cxx.c), and of other libraries (library_table_others.c); one
 * without a name ends them. */
extern const ser_library_function ser_library_of_cxx[];
extern const ser_library_function ser_library_of_others[];

#endif
