/* SPDX-License-Identifier: MIT */
/*
 * Definitions are kept as they came. Of everything else there is a list of the records that still
 * matter: a record that ends something removes the one that began it. Memory is found by its
 * address.
 */
#include "record/past.h"

#include <stdlib.h>

#include "base/pairmap.h"
#include "base/vector.h"
#include "contract/abi.h"
#include "trace/event.h"

typedef SER_VECTOR(ser_record) record_list;

/* Frames of calls that never return (longjmp) are forgotten beyond so many, the oldest first. */
enum { MOST_FRAMES = 4096, TEXT_BYTES = sizeof(ser_record) };
enum { MANY_GONE = 1024 };
static const uint32_t GONE = UINT32_MAX - 1; /* no place */

typedef struct thread_past {
    ser_record stack;   /* its SER_RAW_THREAD; op 0: there was none */
    record_list open;   /* calls and blocks */
    ser_record pending; /* its last operation, if that waits for others; op 0: it does not */
} thread_past;

struct ser_past {
    record_list definitions;
    uint64_t text_left; /* bytes of a text that are still to come */
    SER_VECTOR(thread_past) threads;
    record_list memory; /* allocated, as it was; op 0: it is gone */
    size_t memory_gone;
    ser_pairmap memory_at; /* places in it, by address */
    record_list held;      /* acquires without release */
    record_list posts;     /* without take */
    record_list streams;   /* the last that was sent; its value: bytes that were not received */
};

ser_past *ser_past_create(void)
{
    return ser_alloc(1, sizeof(ser_past));
}

void ser_past_destroy(ser_past *past)
{
    if (!past)
        return;
    for (size_t i = 0; i < past->threads.count; i++)
        ser_vector_free(&past->threads.items[i].open);
    ser_vector_free(&past->threads);
    ser_vector_free(&past->definitions);
    ser_vector_free(&past->memory);
    ser_pairmap_fini(&past->memory_at);
    ser_vector_free(&past->held);
    ser_vector_free(&past->posts);
    ser_vector_free(&past->streams);
    free(past);
}

static void remove_at(record_list *list, size_t place)
{
    memmove(&list->items[place], &list->items[place + 1],
            (list->count - place - 1) * sizeof *list->items);
    list->count--;
}

/* --- definitions and memory ---------------------------------------------------------------- */

static bool is_definition(const ser_record *record)
{
    switch (record->op) {
    case SER_RAW_TEXT:
    case SER_RAW_SITE:
    case SER_RAW_SITE_LINE:
    case SER_RAW_SITE_CODE:
    case SER_RAW_MODULE:
    case SER_RAW_OBJECT:
        return true;
    default:
        return false;
    }
}

/* The bytes of a text are records that say nothing else. */
static bool take_definition(ser_past *past, const ser_record *record)
{
    bool is_text = past->text_left > 0;
    if (is_text)
        past->text_left -= past->text_left < TEXT_BYTES ? past->text_left : TEXT_BYTES;
    else if (!is_definition(record))
        return false;
    else if (record->op == SER_RAW_TEXT)
        past->text_left = record->value;
    ser_vector_push(&past->definitions, *record);
    return true;
}

/* The blocks that are left, in their order, without those that are gone. */
static void compact_memory(ser_past *past)
{
    size_t kept = 0;
    ser_pairmap_fini(&past->memory_at);
    past->memory_at = (ser_pairmap){0};
    for (size_t i = 0; i < past->memory.count; i++)
        if (past->memory.items[i].op) {
            past->memory.items[kept] = past->memory.items[i];
            *ser_pairmap_add(&past->memory_at, past->memory.items[kept].object, 0, 0) =
                (uint32_t)kept;
            kept++;
        }
    past->memory.count = kept;
    past->memory_gone = 0;
}

/* Those at other addresses stay, also if they overlap: later ones count. */
static void free_memory(ser_past *past, uint64_t address)
{
    uint32_t place = ser_pairmap_get(&past->memory_at, address, 0, GONE);
    if (place == GONE)
        return;
    past->memory.items[place].op = 0;
    *ser_pairmap_add(&past->memory_at, address, 0, GONE) = GONE;
    if (++past->memory_gone > MANY_GONE && past->memory_gone > past->memory.count / 2)
        compact_memory(past);
}

static void add_memory(ser_past *past, const ser_record *record)
{
    free_memory(past, record->object);
    *ser_pairmap_add(&past->memory_at, record->object, 0, 0) = (uint32_t)past->memory.count;
    ser_vector_push(&past->memory, *record);
}

/* --- operations ------------------------------------------------------------------------------ */

/* A thread may hold a lock both as a writer and as a reader. */
static bool is_same(const ser_record *one, const ser_record *other, bool of_thread)
{
    return one->object == other->object &&
           (!of_thread ||
            (one->thread == other->thread &&
             ser_op_is_shared((ser_op)one->op) == ser_op_is_shared((ser_op)other->op)));
}

/* The last one, or the first one if any thread's counts. */
static void remove_match(record_list *list, const ser_record *record, bool of_thread)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t place = of_thread ? list->count - 1 - i : i;
        if (is_same(&list->items[place], record, of_thread)) {
            remove_at(list, place);
            return;
        }
    }
}

static void open_frame(thread_past *thread, const ser_record *record)
{
    if (thread->open.count >= MOST_FRAMES)
        remove_at(&thread->open, 0);
    ser_vector_push(&thread->open, *record);
}

/* Frames above the one that is closed were left without a record of their own. */
static void close_frame(thread_past *thread, const ser_record *record)
{
    bool returns = ser_op_returns((ser_op)record->op);
    for (size_t i = thread->open.count; i-- > 0;) {
        const ser_record *frame = &thread->open.items[i];
        if (ser_op_calls((ser_op)frame->op) != returns ||
            (returns && frame->object != record->object))
            continue;
        if (returns)
            thread->open.count = i;
        else
            remove_at(&thread->open, i);
        return;
    }
}

static void note_stream(ser_past *past, const ser_record *record)
{
    size_t place = 0;
    while (place < past->streams.count && past->streams.items[place].object != record->object)
        place++;
    bool known = place < past->streams.count;
    bool sends = record->op == SER_RAW_STREAM &&
                 (record->size == SER_STREAM_SENT || record->size == SER_STREAM_SENT_LATE);
    bool takes = record->op == SER_RAW_UNSENT || record->size == SER_STREAM_RECEIVED;
    uint64_t there = known ? past->streams.items[place].value : 0;
    if (sends && !known)
        ser_vector_push(&past->streams, *record);
    else if (sends) {
        past->streams.items[place] = *record;
        past->streams.items[place].value += there;
    } else if (takes && known && there > record->value)
        past->streams.items[place].value -= record->value;
    else if (takes && known)
        remove_at(&past->streams, place);
}

static void note_operation(ser_past *past, const ser_record *record)
{
    thread_past *thread = ser_vector_slot(&past->threads, record->thread);
    ser_op op = (ser_op)record->op;
    thread->pending = ser_op_lets_others_in(op) ? *record : (ser_record){0};
    if (ser_op_acquires(op))
        ser_vector_push(&past->held, *record);
    else if (ser_op_releases(op))
        remove_match(&past->held, record, true);
    else if (ser_op_posts(op))
        ser_vector_push(&past->posts, *record);
    else if (ser_op_takes(op))
        remove_match(&past->posts, record, false);
    else if (ser_op_opens(op))
        open_frame(thread, record);
    else if (ser_op_has(op, SER_CLOSES))
        close_frame(thread, record);
}

static void note(ser_past *past, const ser_record *record)
{
    switch (record->op) {
    case SER_RAW_THREAD:
        ser_vector_slot(&past->threads, record->thread)->stack = *record;
        break;
    case SER_RAW_ALLOCATE:
    case SER_RAW_LOCAL:
    case SER_RAW_MAP:
        add_memory(past, record);
        break;
    case SER_RAW_FREE:
        free_memory(past, record->object);
        break;
    case SER_RAW_STREAM:
    case SER_RAW_UNSENT:
        note_stream(past, record);
        ser_vector_slot(&past->threads, record->thread)->pending.op = 0;
        break;
    case SER_RAW_RANGE_READ:
    case SER_RAW_RANGE_WRITE:
    case SER_RAW_RANGE_FREE:
    case SER_RAW_PAIR_WRITE:
    case SER_RAW_PAIR_UPDATE:
    case SER_RAW_MEETS:
        ser_vector_slot(&past->threads, record->thread)->pending.op = 0;
        break;
    default:
        if (record->op < SER_OP_COUNT && record->op != SER_OP_SKIP)
            note_operation(past, record);
        break;
    }
}

void ser_past_add(ser_past *past, const ser_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!take_definition(past, &records[i]))
            note(past, &records[i]);
}

bool ser_past_may_end(const ser_past *past, const ser_record *next)
{
    if (past->text_left)
        return false;
    ser_op op = (ser_op)next->op;
    if (op >= SER_OP_COUNT)
        return false;
    bool is_lock = (ser_op_acquires(op) || ser_op_releases(op)) && !ser_op_is_shared(op);
    return is_lock || ser_op_has(op, SER_OPENS | SER_CLOSES) || ser_op_notifies(op);
}

/* It becomes an event at its place, unlike a count of elided operations, which waits for the next
 * event of its thread. Of a thread that goes on: one that was joined must not have an event. */
ser_record ser_past_mark_end(const ser_record *after, size_t count)
{
    size_t i = 0;
    while (i < count && after[i].op >= SER_RAW_FIRST)
        i++;
    return (ser_record){
        .op = SER_RAW_OUTSIDE, .value = SER_ABI_RUNS, .thread = i < count ? after[i].thread : 0};
}

/* --- as records ------------------------------------------------------------------------------- */

void ser_past_write(const ser_past *past,
                    void (*put)(void *context, const ser_record *records, size_t count),
                    void *context)
{
    const thread_past *threads = past->threads.items;
    put(context, past->definitions.items, past->definitions.count);
    for (size_t i = 0; i < past->threads.count; i++)
        put(context, &threads[i].stack, threads[i].stack.op != 0);
    for (size_t i = 0; i < past->memory.count; i++)
        put(context, &past->memory.items[i], past->memory.items[i].op != 0);
    for (size_t i = 0; i < past->threads.count; i++)
        put(context, threads[i].open.items, threads[i].open.count);
    put(context, past->held.items, past->held.count);
    put(context, past->posts.items, past->posts.count);
    put(context, past->streams.items, past->streams.count);
    for (size_t i = 0; i < past->threads.count; i++)
        put(context, &threads[i].pending, threads[i].pending.op != 0);
}
