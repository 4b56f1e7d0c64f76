/* SPDX-License-Identifier: MIT */
/*
 * record.h - writing records, and numbers for the places and texts they name.
 */
#ifndef SER_RUNTIME_CORE_RECORDS_RECORD_H
#define SER_RUNTIME_CORE_RECORDS_RECORD_H

#include "contract/abi.h"
#include "runtime/core/world.h"
#include "trace/event.h"

/* ring.c */
/* Waits until the ring has room for SER_ROOM records. The thread is inside, with token. */
void ser_ring_await_room(ser_thread *me);
void ser_ring_kick(void);
/* A ring that is never read and never full; null if memory is out. */
ser_ring *ser_ring_private(uint64_t head);
void ser_stop_recording(void);
/* The thread creates another one beyond the thread limit: the recording ends here. */
void ser_stop_for_stranger(ser_thread *me);
/* Counts events that could not be recorded, unless the recording ends before them. */
void ser_lose(uint64_t count);

bool ser_recorder_lives(void);
/* State of a thread or process as /proc/self/task/N/stat (or /proc/N/stat) says: 'R', 'S', ...;
 * 0 if there is none. */
char ser_proc_state(const char *prefix, uint32_t number);
/* One record as it is, with room made for it: a definition (parallel: in ring 0, under the
 * lock of definitions), or into the thread's own ring. */
void ser_put_definition(ser_thread *me, const ser_record *record);
void ser_put_whole(ser_thread *me, const ser_record *record);

/* frames.c: a call of the function at that place; the thread is inside. */
void ser_frame_enter(ser_thread *me, uint32_t site);

/* outside.c: from here on the thread may run code without instrumentation at any time. */
void ser_stay_outside(ser_thread *me);
/* Is the function, whose address was taken, instrumented? */
bool ser_is_seen_function(const void *function);

/* The place of an interposed call. */
uint32_t ser_here(ser_thread *me);

/* define.c: the number of a site, recorded on first use; 0 for null. */
uint32_t ser_site_number(ser_thread *me, ser_abi_site *site);
uint32_t ser_text_number(ser_thread *me, const char *text);
/* The same for a place that has no site of its own: of an annotation, or in the code. */
uint32_t ser_place_number(ser_thread *me, const char *file, uint32_t line, const char *function);
uint32_t ser_code_number(ser_thread *me, uint64_t address);

static inline uint64_t ser_tag(int op, uint32_t size, uint32_t site)
{
    return site | (uint64_t)op << 48 | (uint64_t)size << 56;
}

/* Operations of the program, as others count them (replay.h). */
static inline bool ser_is_operation(uint8_t op)
{
#define SER_X(record, operation) || op == SER_RAW_##record
    return op < SER_RAW_FIRST SER_RAW_OPERATIONS(SER_X);
#undef SER_X
}

/* Writes one record that is no operation, and says whose it is. The thread is inside; there is
 * room. */
static inline void ser_put_of(ser_thread *me, const ser_thread *whose, uint64_t object,
                              uint64_t value, uint64_t tag)
{
    ser_ring *ring = me->ring;
    uint64_t head = ring->head;
    ser_record *record = &ring->records[head % SER_RING_RECORDS];
    record->object = object;
    record->value = value;
    record->clock = me->clock;
    tag |= whose->tag;
    __builtin_memcpy(&record->site, &tag, sizeof tag);
    __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
}

/* The same of the thread itself. */
static inline void ser_put_raw(ser_thread *me, uint64_t object, uint64_t value, uint64_t tag)
{
    ser_put_of(me, me, object, value, tag);
}

/* One operation more, which is in the trace. */
static inline void ser_count_recorded(ser_thread *me)
{
    me->stamp += SER_STAMP_ONE;
    me->recorded++;
}

/* Writes one record; an event, below SER_RAW_FIRST, is an operation. */
static inline void ser_put_record(ser_thread *me, uint64_t object, uint64_t value, uint64_t tag)
{
    if ((uint8_t)(tag >> 48) < SER_RAW_FIRST)
        ser_count_recorded(me);
    ser_put_raw(me, object, value, tag);
}

static_assert(offsetof(ser_record, thread) - offsetof(ser_record, site) == 4, "of the tag");
static_assert(offsetof(ser_record, op) - offsetof(ser_record, site) == 6, "of the tag");
static_assert(offsetof(ser_record, size) - offsetof(ser_record, site) == 7, "of the tag");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "of the tag");

/* An event of synchronisation or of the thread itself, at the place of the call. In
 * parallel mode the caller holds ser_runtime_world.objects, or the event is the thread's own. */
void ser_put_sized(ser_thread *me, int op, const void *object, uint64_t value, uint32_t size);
static inline void ser_put(ser_thread *me, int op, const void *object, uint64_t value)
{
    ser_put_sized(me, op, object, value, 0);
}

/* The same of something that is in no memory: a stream, with a ser_stream_use. */
void ser_put_stream(ser_thread *me, uint64_t stream, uint64_t amount, uint32_t use);
/* A record SER_RAW_MEETS. */
void ser_put_meeting(ser_thread *me, const void *object);

#endif
