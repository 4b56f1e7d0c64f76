/* SPDX-License-Identifier: MIT */
/*
 * row_choice.h - which steps of a picture become rows of text.
 *
 * Steps that matter are shown, with their neighbours in the same turn of a thread; calls, returns
 * and details are not; of steps that do the same to different things in a row only the first; and
 * what is far away is folded. O(events). Memory: freed by ser_row_choice_fini.
 */
#ifndef SER_REPORT_TEXT_ROW_CHOICE_H
#define SER_REPORT_TEXT_ROW_CHOICE_H

#include "report/dossier/details.h"
#include "report/dossier/dossier.h"

typedef enum ser_row_kind { SER_ROW_FOLDED, SER_ROW_SHOWN, SER_ROW_ALIKE } ser_row_kind;

typedef struct ser_row_choice {
    const ser_picture *picture;
    uint8_t *kinds; /* by step */
    bool *involved; /* by thread: it does something that matters */
    ser_details details;
    size_t block_first, block_last; /* steps */
    bool block_ends;
} ser_row_choice;

void ser_row_choice_init(ser_row_choice *choice, const ser_picture *picture);
void ser_row_choice_fini(ser_row_choice *choice);

/* The end of the folded steps from here on; *telling counts those that would be rows
 * if there was room. */
size_t ser_row_choice_end_of_folded(const ser_row_choice *choice, size_t i, size_t *telling);

static inline const ser_event *ser_picture_event(const ser_picture *picture, size_t step)
{
    return &picture->run->events[picture->steps.items[step].event];
}

/* One of no events where there is none. */
const ser_run_block *ser_picture_block(const ser_picture *picture);

#endif
