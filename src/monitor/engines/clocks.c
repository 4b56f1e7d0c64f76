/* SPDX-License-Identifier: MIT */
/*
 * The pool of clocks. Their times lie side by side in one array. A clock is in the list of every
 * open block whose begin it contains. One that was freed stays there until the block ends, and so
 * may the next clock with its number, which does not contain the begin; `listed` ensures that no
 * number is in a list twice, so a list is never longer than the pool.
 */
#include "monitor/engines/clocks.h"

#include "base/status.h"

/* Generations that fit into a token with its highest bit unset. */
#define LAST_GENERATION ((UINT64_C(1) << (63 - SER_CLOCK_BITS)) - 1)

enum { FIRST_WIDTH = 4, BITS_IN_WORD = 64 };

void ser_clocks_fini(ser_clocks *clocks)
{
    for (uint32_t thread = 0; thread < clocks->threads; thread++)
        ser_vector_free(&clocks->knowing[thread]);
    ser_vector_free(&clocks->clocks);
    ser_vector_free(&clocks->unused);
    free(clocks->times);
    free(clocks->listed);
    free(clocks->begins);
    free(clocks->begun);
    free(clocks->current);
    free(clocks->knowing);
    *clocks = (ser_clocks){0};
}

static size_t listed_words(uint32_t width)
{
    return (width + BITS_IN_WORD - 1) / BITS_IN_WORD;
}

/* Copies `count` rows of old_width words into new rows of new_width. */
static uint64_t *widen_rows(uint64_t *rows, size_t count, size_t old_width, size_t new_width,
                            size_t capacity)
{
    if (old_width == new_width)
        return rows;
    uint64_t *wide = ser_alloc(capacity * new_width, sizeof *wide);
    for (size_t i = 0; i < count && old_width > 0; i++)
        memcpy(wide + i * new_width, rows + i * old_width, old_width * sizeof *wide);
    free(rows);
    return wide;
}

static void widen(ser_clocks *clocks, uint32_t wanted)
{
    uint32_t width = clocks->width ? clocks->width : FIRST_WIDTH;
    while (width < wanted)
        width *= 2;
    size_t count = clocks->clocks.count;
    clocks->times = widen_rows(clocks->times, count, clocks->width, width, clocks->capacity);
    clocks->listed = widen_rows(clocks->listed, count, listed_words(clocks->width),
                                listed_words(width), clocks->capacity);
    clocks->begins = ser_resize(clocks->begins, width, sizeof *clocks->begins);
    clocks->current = ser_resize(clocks->current, width, sizeof *clocks->current);
    clocks->knowing =
        ser_resize_zeroed(clocks->knowing, clocks->width, width, sizeof *clocks->knowing);
    clocks->begun = ser_resize_zeroed(clocks->begun, clocks->width, width, sizeof *clocks->begun);
    for (uint32_t thread = clocks->width; thread < width; thread++) {
        clocks->begins[thread] = SER_NEVER;
        clocks->current[thread] = SER_NO_CLOCK;
    }
    clocks->width = width;
}

/* The number of a clock never used before. */
static uint32_t add_clock(ser_clocks *clocks)
{
    size_t number = clocks->clocks.count;
    ser_check(number >> SER_CLOCK_BITS == 0);
    if (number == clocks->capacity) {
        size_t capacity = ser_grown_capacity(number, number + 1);
        size_t words = listed_words(clocks->width);
        clocks->times = ser_resize(clocks->times, capacity * clocks->width, sizeof(uint64_t));
        clocks->listed =
            ser_resize_zeroed(clocks->listed, number * words, capacity * words, sizeof(uint64_t));
        clocks->capacity = capacity;
    }
    ser_vector_push(&clocks->clocks, (ser_clock){.generation = 1});
    return (uint32_t)number;
}

/* An all-zero clock becomes the thread's current one. */
static uint32_t take_clock(ser_clocks *clocks, uint32_t thread)
{
    uint32_t number =
        clocks->unused.count > 0 ? clocks->unused.items[--clocks->unused.count] : add_clock(clocks);
    ser_clock *clock = &clocks->clocks.items[number];
    clock->references = 0;
    clock->open_begins = 0;
    clock->thread = thread;
    clock->current = true;
    clocks->current[thread] = number;
    memset(ser_clocks_times(clocks, number), 0, clocks->width * sizeof(uint64_t));
    return number;
}

void ser_clocks_free(ser_clocks *clocks, uint32_t number)
{
    ser_clock *clock = &clocks->clocks.items[number];
    clock->references = 0;
    clock->open_begins = 0;
    clock->generation++;
    if (clock->current)
        clocks->current[clock->thread] = SER_NO_CLOCK;
    clock->current = false;
    /* A number whose generations are used up is never used again. */
    if (clock->generation <= LAST_GENERATION)
        ser_vector_push(&clocks->unused, number);
}

void ser_clocks_admit(ser_clocks *clocks, uint32_t thread)
{
    if (thread >= clocks->width)
        widen(clocks, thread + 1);
    if (thread >= clocks->threads)
        clocks->threads = thread + 1;
}

/* The clock contains the begin of the thread's open block from now on. */
static void enlist(ser_clocks *clocks, uint32_t number, uint32_t thread)
{
    uint64_t *word = clocks->listed + number * listed_words(clocks->width) + thread / BITS_IN_WORD;
    uint64_t bit = UINT64_C(1) << thread % BITS_IN_WORD;
    clocks->clocks.items[number].open_begins++;
    if (*word & bit)
        return;
    *word |= bit;
    ser_vector_push(&clocks->knowing[thread], number);
}

static void unlist(ser_clocks *clocks, uint32_t number, uint32_t thread)
{
    clocks->listed[number * listed_words(clocks->width) + thread / BITS_IN_WORD] &=
        ~(UINT64_C(1) << thread % BITS_IN_WORD);
}

/* Raises one clock by another. */
static void raise_clock(ser_clocks *clocks, uint32_t number, uint32_t by)
{
    uint64_t *times = ser_clocks_times(clocks, number);
    const uint64_t *other = ser_clocks_times(clocks, by);
    for (uint32_t thread = 0; thread < clocks->threads; thread++) {
        if (other[thread] <= times[thread])
            continue;
        uint64_t begin = clocks->begins[thread];
        if (times[thread] < begin && other[thread] >= begin)
            enlist(clocks, number, thread);
        times[thread] = other[thread];
    }
}

/* A current clock of the thread that may be changed: no event has its time. */
static uint32_t own_current_clock(ser_clocks *clocks, uint32_t thread)
{
    uint32_t old = clocks->current[thread];
    if (old == SER_NO_CLOCK)
        return take_clock(clocks, thread);
    if (clocks->clocks.items[old].references == 0)
        return old;
    clocks->clocks.items[old].current = false;
    uint32_t number = take_clock(clocks, thread);
    raise_clock(clocks, number, old);
    return number;
}

void ser_clocks_begin(ser_clocks *clocks, uint32_t thread)
{
    uint32_t number = own_current_clock(clocks, thread);
    clocks->begins[thread] = ++clocks->begun[thread];
    ser_clocks_times(clocks, number)[thread] = clocks->begins[thread];
    enlist(clocks, number, thread);
}

/* Is there an open block whose begin is in the token's clock, but not in this one? */
static bool would_grow(const ser_clocks *clocks, uint32_t number, uint64_t token)
{
    if (number == SER_NO_CLOCK)
        return true;
    const uint64_t *times = ser_clocks_times(clocks, number);
    const uint64_t *other = ser_clocks_times(clocks, ser_clocks_number(token));
    for (uint32_t thread = 0; thread < clocks->threads; thread++)
        if (other[thread] >= clocks->begins[thread] && times[thread] < clocks->begins[thread])
            return true;
    return false;
}

void ser_clocks_join(ser_clocks *clocks, uint32_t thread, uint64_t token)
{
    if (!would_grow(clocks, clocks->current[thread], token))
        return;
    uint32_t number = own_current_clock(clocks, thread);
    raise_clock(clocks, number, ser_clocks_number(token));
}

/* Is this the current clock of a thread whose open block's begin is in the clock of the ending
 * block? */
static bool closes_cycle(const ser_clocks *clocks, uint32_t number, uint32_t ending)
{
    const ser_clock *clock = &clocks->clocks.items[number];
    return clock->current &&
           ser_clocks_times(clocks, ending)[clock->thread] >= clocks->begins[clock->thread];
}

void ser_clocks_end(ser_clocks *clocks, uint32_t thread,
                    void (*violated)(void *context, uint32_t thread), void *context)
{
    uint32_t ending = clocks->current[thread];
    uint64_t begin = clocks->begins[thread];
    ser_clock_list *list = &clocks->knowing[thread];
    clocks->begins[thread] = SER_NEVER;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t number = list->items[i];
        unlist(clocks, number, thread);
        if (clocks->clocks.items[number].open_begins == 0 ||
            ser_clocks_times(clocks, number)[thread] < begin)
            continue;
        if (closes_cycle(clocks, number, ending))
            violated(context, clocks->clocks.items[number].thread);
        else if (number != ending)
            raise_clock(clocks, number, ending);
        if (--clocks->clocks.items[number].open_begins == 0)
            ser_clocks_free(clocks, number);
    }
    list->count = 0;
}
