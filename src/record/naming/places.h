/* SPDX-License-Identifier: MIT */
/*
 * places.h - the sites of a recording as text: "bank.c:42", in function "transfer".
 *
 * Sites that are only an address in the code (TSan ABI) are looked up in the debug
 * information of their module; if it has none, they are "module+0x123". Names of
 * functions are as the instrumenter gave them. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_PLACES_H
#define SER_RECORD_NAMING_PLACES_H

#include "record/capture/definitions.h"

typedef struct ser_record_place {
    char *location; /* owned; NULL: unknown */
    char *function; /* owned; NULL: unknown */
} ser_record_place;

typedef struct ser_places {
    SER_VECTOR(ser_record_place) list; /* by the site's number */
} ser_places;

void ser_places_init(ser_places *places, const ser_definitions *definitions);
void ser_places_fini(ser_places *places);

/* Of a site that is not defined, both are NULL. */
ser_record_place ser_places_at(const ser_places *places, uint64_t site);

#endif
