/* SPDX-License-Identifier: MIT */
/*
 * events.h - inside of finish.h: records become events.
 */
#ifndef SER_RECORD_EVENTS_EVENTS_H
#define SER_RECORD_EVENTS_EVENTS_H

#include "record/events/finish.h"
#include "record/events/survey.h"
#include "record/events/verify.h"
#include "trace/writer.h"

/* The largest number of threads that records can name, so that tables by thread need not grow.
 * Pages of such a table that no thread uses take no memory. */
enum { SER_EVENTS_THREADS = UINT16_MAX + 1 };

/* A call without an event in the trace so far. */
typedef struct ser_held_call {
    ser_record record;
    uint64_t before; /* operations elided between it and the event before it */
} ser_held_call;

/* What a thread did since its last event, as far as its next one needs it. */
typedef struct ser_elisions {
    SER_VECTOR(ser_held_call) calls; /* with maker->shared only */
    uint64_t operations;             /* elided since the last of these calls */
    uint64_t made;   /* operations that the trace has, as events or counted by skip events */
    uint64_t ahead;  /* how many of them are still to come in the thread's own records */
    uint32_t anchor; /* variable of the events that others must come after, plus one */
    bool late;       /* its next access must be ordered last (SER_EVENT_LATE) */
} ser_elisions;

enum { SER_RECORDED_OPERANDS = 3 }; /* of the guards of one access, at most */

/* What a thread is going to compare with what it reads next. */
typedef struct ser_recorded_operands {
    uint64_t site; /* of that access */
    uint64_t values[SER_RECORDED_OPERANDS];
    unsigned count; /* 0: the thread has made another record since */
} ser_recorded_operands;

/* The guards of a site, looked up once; with operands, the last texts that were made of them. All
 * are 0 if it has none. */
enum { SER_FILLED_GUARDS = 2 }; /* a loop's first round, and the others */
typedef struct ser_site_guards {
    bool is_known;   /* looked up */
    bool is_named;   /* other texts depend on it, or it on others */
    uint8_t needed;  /* so many operands are recorded before each access */
    uint8_t oldest;  /* of `filled` */
    uint16_t number; /* as ser_event_guards has it, if no operands are needed */
    struct {
        uint16_t number; /* 0: none */
        uint64_t values[SER_RECORDED_OPERANDS];
    } filled[SER_FILLED_GUARDS];
} ser_site_guards;

/* What memory held that a thread writes next. */
typedef struct ser_held_value {
    uint64_t address, value; /* address 0: it is not known */
    uint16_t thread;
} ser_held_value;

typedef struct ser_event_maker {
    ser_record_survey *survey;
    ser_objects objects; /* as they are at this moment of the run */
    ser_symbols *symbols;
    ser_labels *labels;
    const ser_labels_known *known; /* of labels */
    ser_writer *writer;
    ser_verifier *verifier; /* NULL: not asked for */
    uint64_t lost_in_all;   /* by the runtime's own count; 0: not known */
    ser_finish_result *result;
    ser_error *error;
    ser_status status;  /* of the writer */
    uint64_t text_left; /* of a text whose bytes are passed over */
    ser_record wide;    /* an access of more than 8 bytes that waits for its rest */
    bool has_wide;
    ser_pairmap sync;                   /* (space and object id, offset) to the number plus one */
    ser_pairmap lost;                   /* (0, text of the reason) to how many events were lost */
    SER_VECTOR(ser_site_guards) guards; /* by site: see code_facts.c */
    uint16_t missing_guards; /* the sign for a text that is missing; 0: none was needed yet */
    SER_VECTOR(ser_recorded_operands)
    operands; /* by thread: its last records, if they were OPERAND; empty until a thread records one
               */
    size_t with_operands; /* how many threads' last records were */
    ser_held_value held;  /* of the last record, if that was HELD */
    bool redact;          /* leave out what was read and written */
    ser_recall recall;    /* accesses of one cell; word: its variable (SER_NO_OBJECT: elided) */
    bool shared;          /* elide what only one thread accesses */
    ser_elisions *elided; /* by thread, SER_EVENTS_THREADS of them */
    SER_VECTOR(ser_record) inputs; /* nondeterministic inputs that were not written yet */
    ser_event *batch, *next, *end; /* the writer's buffer, and its free part */
} ser_event_maker;

/* The writer and the labels are the caller's. */
void ser_event_maker_init(ser_event_maker *maker);
void ser_event_maker_fini(ser_event_maker *maker);

void ser_event_maker_add(ser_event_maker *maker, const ser_record *records, size_t count);

/* After the last record: writes what is pending. */
void ser_event_maker_end(ser_event_maker *maker);

/* streams.c: records SER_RAW_STREAM and SER_RAW_UNSENT. */
void ser_message_streams_add(ser_event_maker *maker, const ser_record *record);
void ser_message_streams_take_back(ser_event_maker *maker, const ser_record *record);

/* The number of a lock, condition, ... at an address. */
uint32_t ser_event_maker_sync(ser_event_maker *maker, ser_space space, uint64_t address,
                              uint32_t site);

#endif
