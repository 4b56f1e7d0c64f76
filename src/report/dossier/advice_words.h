/* SPDX-License-Identifier: MIT */
/*
 * advice_words.h - the places, spans and locks of an advice, in words. All write to `text`.
 */
#ifndef SER_REPORT_DOSSIER_ADVICE_WORDS_H
#define SER_REPORT_DOSSIER_ADVICE_WORDS_H

#include <stdio.h>

#include "report/dossier/plain_names.h"

/* What is to be advised about. */
typedef struct ser_advice {
    const ser_run *run;
    const ser_plain_names *names;
    const char *file; /* of the block: its lines are named without it */
    int file_length;
    uint32_t from, to;      /* the block's first and last access */
    uint32_t between, last; /* the first and the last access of another thread */
    uint32_t call;          /* the innermost that has both of the block's; 0: not known */
    FILE *text;
    char *lock; /* that the block is to hold for longer; NULL: none */
} ser_advice;

/* Where an event happens: "line 12", or "list.c:12" in another file than the block. */
void ser_advice_place(const ser_advice *work, uint32_t event);

/* The line of an event that happens in the block's file; 0: it is in another one, or not known. */
uint32_t ser_advice_line(const ser_advice *work, uint32_t event);

/* The function it happens in: "get()". */
void ser_advice_function(const ser_advice *work, uint32_t event);

/* The call by which the block's function leads to the event; 0: it is its own. */
uint32_t ser_advice_way(const ser_advice *work, uint32_t event);

/* Are both accesses at one place of the block's function, which comes there twice? */
bool ser_advice_is_one_place(const ser_advice *work);

/* "from line 8 to line 12" */
void ser_advice_span(const ser_advice *work);

/* "in sell(), " */
void ser_advice_where(const ser_advice *work);

/* The name of a lock. */
void ser_advice_lock(const ser_advice *work, uint32_t lock);

#endif
