/* SPDX-License-Identifier: MIT */
/*
 * roadrunner_syntax.h - the lines of RoadRunner's print tools.
 *
 *     @   Rd(0,@03.test/Bank.total_I)  Final  Bank.java:17:4
 *
 * The indentation is the depth of calls. docs/text-format.md lists all kinds.
 */
#ifndef SER_TRACE_TEXT_ROADRUNNER_SYNTAX_H
#define SER_TRACE_TEXT_ROADRUNNER_SYNTAX_H

#include "trace/io/lines.h"

typedef enum ser_rr_kind {
    SER_RR_READ,
    SER_RR_WRITE,
    SER_RR_ACQUIRE,
    SER_RR_RELEASE,
    SER_RR_START,
    SER_RR_JOIN,
    SER_RR_ENTER,
    SER_RR_EXIT,
    SER_RR_WAIT,
    SER_RR_NOTIFY,
    SER_RR_BARRIER,
    SER_RR_NOTHING /* no event: interrupts, sleep, classes, remarks, other output */
} ser_rr_kind;

typedef struct ser_rr_line {
    ser_rr_kind kind;
    ser_span thread, operand, location;
    ser_span detail; /* what follows the operand of a notify or barrier */
} ser_rr_line;

/* Takes a line apart. NULL, or what is wrong with it. */
const char *ser_rr_parse(ser_span text, ser_rr_line *line);

/* Is it a line of a log beyond doubt, be it an event or RoadRunner's greeting? */
bool ser_rr_is_typical(ser_span text);

#endif
