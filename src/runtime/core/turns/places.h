/* SPDX-License-Identifier: MIT */
/*
 * places.h - places of sites (contract/place.h), for turns by place. Serial mode only: the caller
 * has the token.
 */
#ifndef SER_RUNTIME_CORE_TURNS_PLACES_H
#define SER_RUNTIME_CORE_TURNS_PLACES_H

#include "contract/channel.h"

/* The site with that number exists from now on. */
void ser_places_note(uint32_t number, const char *file, uint32_t line, uint32_t column);

/* The place of a step, with its operation. */
uint64_t ser_places_of(const ser_record *record);

#endif
