/* SPDX-License-Identifier: MIT */
/*
 * trouble.h - inside of finish.h: text about what went wrong, from records.
 */
#ifndef SER_RECORD_EVENTS_TROUBLE_H
#define SER_RECORD_EVENTS_TROUBLE_H

#include "record/events/events.h"

/* Takes note of records about lost events, stolen turns and deadlocks. */
void ser_trouble_add(ser_event_maker *maker, const ser_record *record);

/* After the last record: puts the notes of the trace together. */
void ser_trouble_note(ser_event_maker *maker);

#endif
