/* SPDX-License-Identifier: MIT */
/*
 * sites.h - places in rewritten code, by the number that it passes to hooks.
 *
 * Sites are added while classes are loaded, by any thread, and looked up without a lock: a site
 * never moves, and its number is in code only once it is complete.
 *
 * A field is known by the class that declares it and its name. Code may name a subclass, so the
 * declaring class is looked for when the site is first reached: its class has been loaded then.
 */
#ifndef SER_JAVA_AGENT_SITES_H
#define SER_JAVA_AGENT_SITES_H

#include "contract/abi.h"
#include "java/classfile/rewrite.h"

typedef struct ser_java_site {
    ser_abi_site place;   /* with the name of the field, or null */
    uint8_t kind;         /* ser_class_site_kind */
    bool early;           /* ser_class_site.early */
    bool in_place;        /* an operation that replaces one element, */
    bool removes;         /* or removes one */
    bool is_work;         /* the method may be all that a thread does (ser_class_is_work) */
    const char *owner;    /* of the field: the class that the code names; null: there is none */
    uint32_t field;       /* its number; 0: not looked for yet */
    bool always;          /* an operation that changes whatever is there */
    uint32_t next_handed; /* another site of reads that the same method returns; 0: none */
    ser_abi_site *part;   /* the place, with other flags: ser_site_part; null: not made yet */
} ser_java_site;

/* What the rewriter calls. */
extern const ser_class_client ser_site_client;

/* The site of a number that the rewriter got. */
ser_java_site *ser_site_at(uint32_t number);
/* The place of a read, if an iterator that must not meet changes is used there: nobody waits for
 * anything with one. And of the first half of an operation with two, on a collection that is not
 * made for several threads: if it changes whatever is there, what it reads reaches nothing else.
 * With the token. */
ser_abi_site *ser_site_part(ser_java_site *site);
/* The number of its field; 0 if there is no memory. With the token. */
uint32_t ser_site_field(ser_java_site *site);
/* The number of a field by the names of a class that has it and of itself. */
uint32_t ser_site_field_number(const char *owner, const char *name);
/* Gives the site the name of that field, unless it has one. */
void ser_site_name_field(ser_java_site *site, uint32_t number);
/* Remembers a class's superclass and the fields that it declares. */
void ser_site_learn_class(const uint8_t *bytes, size_t size);

#endif
