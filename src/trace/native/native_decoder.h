/* SPDX-License-Identifier: MIT */
/*
 * native_decoder.h - inside of the decoder: the events of a block, and what is kept from block to
 * block. native_decode.c fills it; native_checkpoint.c, too, where reading begins later in a file.
 */
#ifndef SER_TRACE_NATIVE_DECODER_H
#define SER_TRACE_NATIVE_DECODER_H

#include "trace/native/native_bytes.h"
#include "trace/native/native_events.h"

typedef struct decoder_point {
    ser_event pattern; /* an event without thread, object and value */
    uint8_t space;
    bool foreign;   /* an operation of a later version */
    uint64_t value; /* the last one */
} decoder_point;

struct ser_native_decoder {
    const ser_native_names_in *names;

    /* The current block. Arrays have room for `capacity` events. */
    uint32_t at, events, capacity;
    uint32_t thread_count, point_count;
    uint32_t *threads; /* that occur in it */
    uint32_t *points;
    ser_event *patterns;      /* of these points */
    uint32_t *next_of_thread; /* place of its next step */
    uint32_t *next_of_point;
    uint16_t *thread_of;      /* of each event: place in threads */
    uint16_t *point_of;       /* place in points; ordered by thread */
    uint32_t *object_of;      /* plus one, 0 is none; ordered by thread */
    uint32_t *sorted_objects; /* ordered by thread, then by point */
    ser_native_bytes shapes, values;

    /* State that is kept from block to block. */
    SER_VECTOR(decoder_point) known;
    SER_VECTOR(uint16_t) flows;       /* by point, also such as are not defined yet */
    uint32_t last_site;               /* of the last definition, the file's number */
    bool foreign_points;              /* there are some */
    SER_VECTOR(uint64_t) last_values; /* of variables */
};

/* The next point: operation, flags and name space of its objects; then the file's number of its
 * site, its flow, and the last value of its events. NULL, or what is wrong with it. */
const char *ser_native_decoder_add_point(ser_native_decoder *decoder, const uint8_t *head,
                                         uint32_t site, uint16_t flow, uint64_t value);

/* A flow as files have it. NULL, or what is wrong with it. */
const char *ser_native_decoder_read_flow(const ser_native_decoder *decoder, uint64_t stored,
                                         uint16_t *flow);

#endif
