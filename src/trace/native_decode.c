/* SPDX-License-Identifier: MIT */
/*
 * Decoding: the mirror of native_encode.c, and what a bare pass over a trace
 * costs. decode_events has no branch that depends on the data, but for checks
 * that never fail, escapes and values; a wrong guess of the processor would cost
 * more than the whole event.
 *
 * Nothing in a block is believed. That cursors stay inside their columns is
 * checked once for the block, by counting control bytes; that numbers name
 * something is checked for each event.
 */
#include "trace/native_events.h"

#include "trace/native_bytes.h"

/* Checks of objects: bound[2 * space + must] is how many an event may name; an
 * object that must be there starts at 1. Objects of unknown operations are not
 * looked at. */
enum { BOUND_ANY = 2 * SER_NATIVE_SPACES, BOUNDS };

struct ser_native_decoder {
    const ser_native_names_in *names;
    const uint8_t *columns[SER_COLUMN_COUNT]; /* what is left of them */
    const uint8_t *shapes_end, *values_end;
    uint32_t left;   /* events of the block that were not delivered */
    uint32_t thread; /* of the last event */
    SER_VECTOR(ser_native_point) points;
    SER_VECTOR(ser_native_thread) threads;
    SER_VECTOR(uint64_t) values; /* last value of each variable */
    uint64_t bounds[BOUNDS];
    uint32_t last_site;  /* of the last point that was defined */
    bool foreign_points; /* operations of later versions were met */
};

ser_native_decoder *ser_native_decoder_create(const ser_native_names_in *names)
{
    ser_native_decoder *decoder = ser_alloc(1, sizeof *decoder);
    decoder->names = names;
    return decoder;
}

void ser_native_decoder_destroy(ser_native_decoder *decoder)
{
    if (!decoder)
        return;
    ser_vector_free(&decoder->points);
    ser_vector_free(&decoder->threads);
    ser_vector_free(&decoder->values);
    free(decoder);
}

uint32_t ser_native_decoder_left(const ser_native_decoder *decoder)
{
    return decoder->left;
}

/* --- a new block -------------------------------------------------------------- */

static bool must_have_object(uint8_t op)
{
    return op != SER_OP_BEGIN && op != SER_OP_END && op != SER_OP_SKIP;
}

static void set_bounds(ser_native_decoder *decoder)
{
    for (unsigned space = 0; space < SER_SPACE_COUNT; space++) {
        uint32_t count = decoder->names->count[ser_native_table((ser_space)space)];
        decoder->bounds[2 * space] = (uint64_t)count + 1;
        decoder->bounds[2 * space + 1] = count;
    }
    decoder->bounds[BOUND_ANY] = UINT64_MAX;
}

static const char *define_point(ser_native_decoder *decoder, ser_bytes *bytes)
{
    const ser_native_names_in *names = decoder->names;
    const uint8_t *head = ser_bytes_take(bytes, 3);
    uint32_t site = decoder->last_site + (uint32_t)ser_unzigzag(ser_bytes_varint(bytes));
    if (bytes->bad)
        return "a point is cut";
    ser_native_point point = {.op = head[0], .flags = head[1], .space = head[2]};
    if (point.flags & ~SER_POINT_FLAGS)
        return "it has flags that this seriatim does not know; use a newer one";
    if (site != SER_NO_SITE && site >= names->count[SER_NATIVE_SITES])
        return "it has a site that was not named";
    if (point.space >= SER_NATIVE_SPACES ||
        (point.op < SER_OP_COUNT && point.space != ser_op_space((ser_op)point.op)))
        return "an operation is on objects of a wrong kind";
    decoder->last_site = site;
    point.site = site == SER_NO_SITE || names->skip_sites
                     ? SER_NO_SITE
                     : ser_native_number(names, SER_NATIVE_SITES, site);
    if (point.op < SER_OP_COUNT) {
        point.bound = (uint8_t)(2 * point.space + must_have_object(point.op));
    } else {
        point.bound = BOUND_ANY;
        decoder->foreign_points = true;
    }
    ser_vector_push(&decoder->points, point);
    return NULL;
}

static const char *define_points(ser_native_decoder *decoder, const uint8_t *start,
                                 const uint8_t *end)
{
    ser_bytes bytes = {start, end, false};
    const char *fault = NULL;
    while (bytes.at < bytes.end && !fault)
        fault = define_point(decoder, &bytes);
    return fault;
}

/* Counts the control bytes of a block, in four tables so that a run of equal
 * bytes does not wait for one counter. */
static void count_controls(const uint8_t *control, uint32_t events, uint32_t counts[256])
{
    uint32_t tables[4][256] = {{0}};
    for (uint32_t i = 0; i < events; i++)
        tables[i & 3][control[i]]++;
    for (int byte = 0; byte < 256; byte++)
        counts[byte] = tables[0][byte] + tables[1][byte] + tables[2][byte] + tables[3][byte];
}

static bool control_is_valid(unsigned control)
{
    if (control & SER_CONTROL_ESCAPE)
        return control == SER_CONTROL_ESCAPE;
    if (control & SER_CONTROL_THREAD_HIGH && !(control & SER_CONTROL_THREAD))
        return false;
    return (control >> SER_CONTROL_OBJECT_SHIFT & 7) <= SER_OBJECT_THREE;
}

/* How much longer `times` of one control byte make the columns. */
static void add_sizes(uint64_t sizes[SER_COLUMN_COUNT], unsigned control, uint32_t times)
{
    unsigned point = control >> SER_CONTROL_POINT_SHIFT & 3;
    unsigned object = control >> SER_CONTROL_OBJECT_SHIFT & 7;
    sizes[SER_COLUMN_CONTROL] += times;
    sizes[SER_COLUMN_THREAD_LOW] += control & SER_CONTROL_THREAD ? times : 0;
    sizes[SER_COLUMN_THREAD_HIGH] += control & SER_CONTROL_THREAD_HIGH ? times : 0;
    sizes[SER_COLUMN_POINT_LOW] += point >= SER_POINT_LOW ? times : 0;
    sizes[SER_COLUMN_POINT_HIGH] += point == SER_POINT_BOTH ? times : 0;
    sizes[SER_COLUMN_NEAR] += object == SER_OBJECT_NEAR ? times : 0;
    sizes[SER_COLUMN_OBJECT_0] += object >= SER_OBJECT_TWO ? times : 0;
    sizes[SER_COLUMN_OBJECT_1] += object >= SER_OBJECT_TWO ? times : 0;
    sizes[SER_COLUMN_OBJECT_2] += object == SER_OBJECT_THREE ? times : 0;
    if (control & SER_CONTROL_ESCAPE)
        sizes[SER_COLUMN_ESCAPES] += (uint64_t)SER_NATIVE_ESCAPE_SIZE * times;
}

/* Are the columns that events walk through as long as the events need? */
static bool columns_fit(const uint8_t *control, uint32_t events,
                        const uint64_t sizes[SER_COLUMN_COUNT])
{
    uint32_t counts[256];
    uint64_t wanted[SER_COLUMN_COUNT] = {0};
    if (sizes[SER_COLUMN_CONTROL] != events)
        return false;
    count_controls(control, events, counts);
    for (unsigned byte = 0; byte < 256; byte++) {
        if (counts[byte] > 0 && !control_is_valid(byte))
            return false;
        add_sizes(wanted, byte, counts[byte]);
    }
    for (int i = SER_COLUMN_CONTROL; i <= SER_COLUMN_ESCAPES; i++)
        if (wanted[i] != sizes[i])
            return false;
    return true;
}

/* The directory in front: how many columns there are, and the size of each. */
static bool find_columns(ser_native_decoder *decoder, ser_bytes *block,
                         uint64_t sizes[SER_COLUMN_COUNT])
{
    const uint8_t *count = ser_bytes_take(block, 1);
    if (!count || *count < SER_COLUMN_COUNT || *count > SER_NATIVE_MOST_COLUMNS)
        return false;
    for (int i = 0; i < *count; i++) {
        uint64_t size = ser_bytes_varint(block);
        if (i < SER_COLUMN_COUNT) /* more are of later versions */
            sizes[i] = size;
    }
    for (int i = 0; i < SER_COLUMN_COUNT; i++)
        decoder->columns[i] = ser_bytes_take(block, sizes[i]);
    return !block->bad;
}

const char *ser_native_decoder_load(ser_native_decoder *decoder, const uint8_t *bytes, size_t size,
                                    uint32_t events)
{
    ser_bytes block = {bytes, bytes + size, false};
    uint64_t sizes[SER_COLUMN_COUNT] = {0};
    decoder->left = 0;
    if (!find_columns(decoder, &block, sizes) ||
        !columns_fit(decoder->columns[SER_COLUMN_CONTROL], events, sizes))
        return "its columns do not have the sizes they should";
    const uint8_t *points = decoder->columns[SER_COLUMN_POINTS];
    const char *fault = define_points(decoder, points, points + sizes[SER_COLUMN_POINTS]);
    if (fault)
        return fault;
    if (decoder->points.count == 0)
        return "it has no point";
    decoder->shapes_end =
        decoder->columns[SER_COLUMN_VALUE_SHAPES] + sizes[SER_COLUMN_VALUE_SHAPES];
    decoder->values_end = decoder->columns[SER_COLUMN_VALUES] + sizes[SER_COLUMN_VALUES];
    ser_vector_extend(&decoder->threads, decoder->names->count[ser_native_table(SER_SPACE_THREAD)]);
    if (sizes[SER_COLUMN_VALUE_SHAPES] > 0)
        ser_vector_extend(&decoder->values,
                          decoder->names->count[ser_native_table(SER_SPACE_VARIABLE)]);
    set_bounds(decoder);
    decoder->left = events;
    return NULL;
}

/* --- events ----------------------------------------------------------------- */

/* False if the columns of values have no such value. */
static bool decode_value(ser_native_decoder *decoder, ser_native_point *point, uint32_t object,
                         uint64_t *value)
{
    const uint8_t **shapes = &decoder->columns[SER_COLUMN_VALUE_SHAPES];
    const uint8_t **values = &decoder->columns[SER_COLUMN_VALUES];
    if (*shapes == decoder->shapes_end)
        return false;
    unsigned shape = **shapes, length = shape & SER_VALUE_LENGTH;
    if (length > 8 || shape > (SER_VALUE_LENGTH | SER_VALUE_FROM_POINT) ||
        length > (size_t)(decoder->values_end - *values))
        return false;
    uint64_t difference = 0;
    for (unsigned i = 0; i < length; i++)
        difference |= (uint64_t)(*values)[i] << 8 * i;
    ++*shapes;
    *values += length;

    uint64_t none = 0;
    bool of_variable = point->space == SER_SPACE_VARIABLE && object - 1 < decoder->values.count;
    uint64_t *variable = of_variable ? &decoder->values.items[object - 1] : &none;
    uint64_t base = shape & SER_VALUE_FROM_POINT ? point->value : *variable;
    *value = base + ser_unzigzag(difference);
    *variable = point->value = *value;
    return true;
}

/* All bits of yes, or none of no: selects without a branch. */
static inline uint32_t choose(uint32_t bit, uint32_t yes, uint32_t no)
{
    uint32_t mask = 0 - bit;
    return (yes & mask) | (no & ~mask);
}

/* Decodes at most count events; how many there are before a bad one. */
static size_t decode_events(ser_native_decoder *decoder, ser_event *batch, size_t count)
{
    const uint8_t *control = decoder->columns[SER_COLUMN_CONTROL];
    const uint8_t *thread_low = decoder->columns[SER_COLUMN_THREAD_LOW];
    const uint8_t *thread_high = decoder->columns[SER_COLUMN_THREAD_HIGH];
    const uint8_t *point_low = decoder->columns[SER_COLUMN_POINT_LOW];
    const uint8_t *point_high = decoder->columns[SER_COLUMN_POINT_HIGH];
    const uint8_t *near = decoder->columns[SER_COLUMN_NEAR];
    const uint8_t *object_0 = decoder->columns[SER_COLUMN_OBJECT_0];
    const uint8_t *object_1 = decoder->columns[SER_COLUMN_OBJECT_1];
    const uint8_t *object_2 = decoder->columns[SER_COLUMN_OBJECT_2];
    const uint8_t *escapes = decoder->columns[SER_COLUMN_ESCAPES];
    ser_native_point *points = decoder->points.items;
    ser_native_thread *threads = decoder->threads.items;
    uint32_t point_count = (uint32_t)decoder->points.count;
    uint32_t thread_count = (uint32_t)decoder->threads.count;
    uint32_t thread = decoder->thread;
    size_t i = 0;

    for (; i < count; i++) {
        uint32_t bits = control[i];
        uint32_t escape = bits >> 7, object_code = bits >> SER_CONTROL_OBJECT_SHIFT & 7;
        uint32_t has_thread = bits & 1, has_thread_high = bits >> 6 & 1;
        uint32_t has_point = bits >> 2 & 1, second = bits >> 1 & 1;

        uint32_t new_thread = choose(
            has_thread, *thread_low | (choose(has_thread_high, *thread_high, 0) << 8), thread);
        if (escape)
            new_thread = ser_load32(escapes);
        if (new_thread >= thread_count)
            break;
        ser_native_thread *of_thread = &threads[new_thread];
        uint32_t *next = points[of_thread->point].next;
        uint32_t later = next[0], earlier = next[1];
        uint32_t number = choose(has_point, *point_low | (choose(second, *point_high, 0) << 8),
                                 choose(second, earlier, later));
        if (escape)
            number = ser_load32(escapes + 4);
        if (number >= point_count)
            break;

        ser_native_point *point = &points[number];
        uint32_t before = of_thread->last[point->space];
        uint32_t far =
            *object_0 | (uint32_t)*object_1 << 8 | choose(object_code & 1, *object_2, 0) << 16;
        uint32_t far_code = object_code >> 2, thread_code = object_code >> 1 & 1;
        uint32_t base = choose(thread_code, before, point->last);
        uint32_t difference = choose(thread_code, point->step, *near - 128u);
        uint32_t object = choose(far_code, far, base + choose(object_code & 1, difference, 0));
        if (escape)
            object = ser_load32(escapes + 8);
        uint32_t must = point->bound & 1;
        if ((uint32_t)(object - must) >= decoder->bounds[point->bound])
            break;

        ser_event *event = &batch[i];
        event->thread = new_thread;
        event->object = object - 1;
        event->site = point->site;
        event->op = point->op;
        event->flags = point->flags & SER_POINT_HAS_VALUE;
        event->reserved = 0;
        event->value = 0;
        if (point->flags & SER_POINT_HAS_VALUE &&
            !decode_value(decoder, point, object, &event->value))
            break;

        next[1] = number == later ? earlier : later;
        next[0] = number;
        of_thread->point = number;
        point->step = object - before;
        point->last = object;
        of_thread->last[point->space] = object;
        thread = new_thread;

        thread_low += has_thread;
        thread_high += has_thread_high;
        point_low += has_point;
        point_high += has_point & second;
        near += object_code == SER_OBJECT_NEAR;
        object_0 += far_code;
        object_1 += far_code;
        object_2 += far_code & object_code;
        escapes += escape * SER_NATIVE_ESCAPE_SIZE;
    }

    decoder->columns[SER_COLUMN_CONTROL] = control + i;
    decoder->columns[SER_COLUMN_THREAD_LOW] = thread_low;
    decoder->columns[SER_COLUMN_THREAD_HIGH] = thread_high;
    decoder->columns[SER_COLUMN_POINT_LOW] = point_low;
    decoder->columns[SER_COLUMN_POINT_HIGH] = point_high;
    decoder->columns[SER_COLUMN_NEAR] = near;
    decoder->columns[SER_COLUMN_OBJECT_0] = object_0;
    decoder->columns[SER_COLUMN_OBJECT_1] = object_1;
    decoder->columns[SER_COLUMN_OBJECT_2] = object_2;
    decoder->columns[SER_COLUMN_ESCAPES] = escapes;
    decoder->thread = thread;
    return i;
}

/* What later versions may do, and numbers of the file that are not the
 * reader's: a second walk, which files normally do not need. */
static void translate(const ser_native_decoder *decoder, ser_event *batch, size_t count)
{
    const ser_native_names_in *names = decoder->names;
    for (size_t i = 0; i < count; i++) {
        ser_event *event = &batch[i];
        event->thread = ser_native_number(names, ser_native_table(SER_SPACE_THREAD), event->thread);
        if (event->op >= SER_OP_COUNT) {
            event->op = SER_OP_SKIP;
            event->object = SER_NO_OBJECT;
        } else if (event->object != SER_NO_OBJECT) {
            event->object = ser_native_number(
                names, ser_native_table(ser_op_space((ser_op)event->op)), event->object);
        }
    }
}

size_t ser_native_decode(ser_native_decoder *decoder, ser_event *batch, size_t capacity,
                         const char **fault)
{
    size_t wanted = capacity < decoder->left ? capacity : decoder->left;
    size_t count = decode_events(decoder, batch, wanted);
    if (decoder->foreign_points || !decoder->names->same)
        translate(decoder, batch, count);
    decoder->left -= (uint32_t)count;
    *fault = count == 0 && wanted > 0 ? "it names something that does not exist" : NULL;
    return count;
}
