/* SPDX-License-Identifier: MIT */
/*
 * texts.h - texts that live as long as the process, each kept once, and numbered from 1 on.
 *
 * A table is used by one thread at a time; the caller sees to that.
 */
#ifndef SER_JAVA_AGENT_TEXTS_H
#define SER_JAVA_AGENT_TEXTS_H

#include <stdint.h>

typedef struct ser_text_entry {
    const char *text; /* null: free */
    uint32_t number;
} ser_text_entry;

typedef struct ser_texts {
    ser_text_entry *entries; /* open addressing */
    uint32_t room, count;
} ser_texts;

/* The entry of a text, which is copied if it is new. Null: there is no memory. */
const ser_text_entry *ser_texts_add(ser_texts *texts, const char *text);
/* Null: it is not there. */
const ser_text_entry *ser_texts_find(const ser_texts *texts, const char *text);

/* The text with that number; null: none has. O(texts). */
const char *ser_texts_at(const ser_texts *texts, uint32_t number);

#endif
