/* SPDX-License-Identifier: MIT */
/*
 * makers.h - inside of labels.h: what objects are called, by what made them.
 *
 *     allocated at bank.c:12 (3rd)    x of worker() in T2    stack of T2
 *
 * Each thread counts for itself, so that the numbers do not depend on the schedule.
 */
#ifndef SER_RECORD_NAMING_MAKERS_H
#define SER_RECORD_NAMING_MAKERS_H

#include "base/names.h"
#include "base/pairmap.h"
#include "base/vector.h"
#include "record/memory/memory.h"
#include "record/naming/label_text.h"
#include "record/naming/places.h"

typedef struct ser_makers {
    const ser_definitions *definitions;
    ser_places *places;
    ser_names *names;                 /* as text: "bank.c:12", "x of worker()" */
    ser_names *locations;             /* with folders */
    SER_VECTOR(uint32_t) location_of; /* by maker: its location plus one; 0: it has none */
    ser_pairmap instances;            /* (kind and thread, maker) to how many objects it has made */
    SER_VECTOR(uint32_t) by_site[2];  /* its maker plus one; heap and the like, locals */
    uint32_t described;               /* id plus one of the object that `description` is about */
    ser_label_text description;
} ser_makers;

/* Both must outlive it. */
void ser_makers_init(ser_makers *makers, const ser_definitions *definitions, ser_places *places);
void ser_makers_fini(ser_makers *makers);

/* The number of what made the object. */
uint32_t ser_makers_of(ser_makers *makers, const ser_memory_object *object);

/* An object begins: which of those that its maker has made it is. */
uint32_t ser_makers_count(ser_makers *makers, const ser_memory_object *object);

/* The whole object; valid until the next call. */
const ser_label_text *ser_makers_describe(ser_makers *makers, const ser_memory_object *object);

#endif
