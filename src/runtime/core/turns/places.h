/* SPDX-License-Identifier: MIT */
/*
 * places.h - places of sites (contract/place.h), for turns by place. Serial mode only: the caller
 * has the token.
 */
#ifndef SER_RUNTIME_CORE_TURNS_PLACES_H
#define SER_RUNTIME_CORE_TURNS_PLACES_H

#include <stdint.h>

/* The site with that number exists from now on. */
void ser_places_note(uint32_t number, const char *file, uint32_t line);

/* The place of a site; 0 if it is not known. */
uint64_t ser_places_get(uint64_t number);

#endif
