/* SPDX-License-Identifier: MIT */
/*
 * definitions.h - what records refer to by number: texts, sites, modules, objects without address.
 *
 * Filled in a first pass over all records, since in parallel mode the definition of a site may come
 * later in the order of the run than an event there. Implausible numbers are ignored: they stay
 * undefined. Not thread-safe.
 */
#ifndef SER_RECORD_CAPTURE_DEFINITIONS_H
#define SER_RECORD_CAPTURE_DEFINITIONS_H

#include <stdbool.h>

#include "base/pairmap.h"
#include "base/vector.h"
#include "contract/channel.h"

/* Texts are numbers of texts; 0: none. */
typedef struct ser_defined_site {
    uint32_t file, function, name;
    uint32_t line;
    uint32_t column; /* 0: it does not matter */
    uint64_t code;   /* address in the program, where that is all there is; else 0 */
} ser_defined_site;

typedef struct ser_module {
    uint64_t base;
    uint32_t path; /* text */
} ser_module;

typedef struct ser_definitions {
    SER_VECTOR(char *) texts; /* by number; NULL: not defined */
    SER_VECTOR(ser_defined_site) sites;
    SER_VECTOR(uint16_t)
    site_flags; /* by number: ser_abi_site_flags. In an array of their own, since they are looked up
                   for every event */
    SER_VECTOR(uint32_t) site_guards; /* by number: text of the guards of a read; 0: none */
    SER_VECTOR(ser_module) modules;
    ser_pairmap objects; /* (0, identity) to the text of its class (contract/managed.h) */
    uint64_t bytes_left; /* of the text whose bytes come just now */
    uint32_t open_text;  /* its number; 0: it is not kept */
    size_t filled;
} ser_definitions;

void ser_definitions_fini(ser_definitions *definitions);

bool ser_definitions_take_one(ser_definitions *definitions, const ser_record *record);
bool ser_definitions_pass_one(uint64_t *left, const ser_record *record);

/* True if the record is, or belongs to, a definition. Most are not, and the test for that is
 * short. */
static inline bool ser_definitions_take(ser_definitions *definitions, const ser_record *record)
{
    bool is_other = definitions->bytes_left == 0 && record->op < SER_RAW_FIRST;
    return !is_other && ser_definitions_take_one(definitions, record);
}

/* The same test in a later pass, which skips definitions. *left is 0 at first. */
static inline bool ser_definitions_pass(uint64_t *left, const ser_record *record)
{
    bool is_other = *left == 0 && record->op < SER_RAW_FIRST;
    return !is_other && ser_definitions_pass_one(left, record);
}

/* The text of a number; NULL if there is none. */
const char *ser_definitions_text(const ser_definitions *definitions, uint64_t number);

/* The site of a number; an empty one if it is not defined. */
ser_defined_site ser_definitions_site(const ser_definitions *definitions, uint64_t number);

/* The class of an object without address; NULL if it was not recorded. */
const char *ser_definitions_class(const ser_definitions *definitions, uint32_t identity);

/* Its name alone. */
static inline uint32_t ser_definitions_site_name(const ser_definitions *definitions,
                                                 uint64_t number)
{
    return number < definitions->sites.count ? definitions->sites.items[number].name : 0;
}

/* What the instrumenter found out about it. */
static inline unsigned ser_definitions_site_flags(const ser_definitions *definitions,
                                                  uint32_t number)
{
    return number < definitions->site_flags.count ? definitions->site_flags.items[number] : 0;
}

/* The guards of what is read there, as the instrumenter wrote them; NULL if there are none. */
static inline const char *ser_definitions_site_guards(const ser_definitions *definitions,
                                                      uint32_t number)
{
    return number < definitions->site_guards.count
               ? ser_definitions_text(definitions, definitions->site_guards.items[number])
               : NULL;
}

#endif
