/* SPDX-License-Identifier: MIT */
/*
 * Ranges: memcpy and friends, and accesses of odd sizes.
 *
 * Up to 16 bytes they are one access (two for a copy), with its value; longer ones
 * are records of whole ranges. In parallel mode they go line by line, since one
 * lock covers one line: every piece is exact, and a range is no single step anyway.
 */
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/core/lines.h"

static ser_runtime_world *const world = &ser_the_world;

enum { LINE = 64 };

/* How much of a range lies in the line of its start. */
static size_t piece_of(const void *address, size_t size)
{
    size_t left = LINE - (uintptr_t)address % LINE;
    return size < left ? size : left;
}

static bool records(ser_thread *me)
{
    return me && !me->ignoring && world->recording;
}

/* Leaves the runtime, or counts what it could not record. */
static void finish(ser_thread *me)
{
    if (me)
        ser_leave(me);
    else if (ser_self != &ser_nobody && ser_self != &ser_stranger)
        ser_lose(1);
}

/* Ends what ser_touch_begin began, a line at most in parallel mode, and records it. */
static void end_range(ser_thread *me, int op, const ser_touch *touch, uint32_t site)
{
    if (!touch->hidden) {
        ser_reveal(me, touch, touch->writes ? SER_OP_WRITE : SER_OP_READ);
        if (!touch->goes_on)
            ser_count_recorded(me);
        ser_put_raw(me, (uintptr_t)touch->part, touch->part_size,
                    ser_tag(op, touch->goes_on, site));
    }
    ser_touch_end(me, touch);
}

static ser_touch touch_of(int op, const void *address, size_t size, bool goes_on)
{
    return (ser_touch){
        .address = address, .size = size, .writes = op != SER_RAW_RANGE_READ, .goes_on = goes_on};
}

/* Serial mode: by runs of words that are left out, or are not. */
static void put_part(ser_thread *me, int op, const char *address, size_t size, uint32_t site,
                     bool goes_on)
{
    for (; size > 0; goes_on = true) {
        ser_touch touch = touch_of(op, address, size, goes_on);
        touch.size = ser_touch_run(me, &touch);
        ser_touch_begin(me, &touch);
        end_range(me, op, &touch, site);
        address += touch.size;
        size -= touch.size;
    }
}

static void put_range(ser_thread *me, int op, const char *address, size_t size, uint32_t site)
{
    put_part(me, op, address, size, site, false);
}

/* Copies in or out, and records it; in parallel mode under the lock, a line at most. */
static void do_piece(int op, void *address, void *other, size_t size, ser_abi_site *site,
                     bool goes_on)
{
    ser_thread *me = ser_enter();
    void *to = op == SER_RAW_RANGE_READ ? other : address;
    const void *from = op == SER_RAW_RANGE_READ ? address : other;
    if (!records(me)) {
        finish(me);
        memcpy(to, from, size);
        return;
    }
    uint32_t number = ser_site_number(me, site);
    if (world->parallel) {
        ser_touch touch = touch_of(op, address, size, goes_on);
        ser_touch_begin(me, &touch);
        memcpy(to, from, size);
        end_range(me, op, &touch, number);
    } else {
        memcpy(to, from, size);
        put_range(me, op, address, size, number);
    }
    ser_leave(me);
}

static void copy_forward(char *to, const char *from, size_t size, ser_abi_site *site)
{
    const size_t all = size;
    unsigned char buffer[LINE];
    for (size_t piece; size > 0; to += piece, from += piece, size -= piece) {
        piece = piece_of(to, piece_of(from, size));
        do_piece(SER_RAW_RANGE_READ, (char *)(uintptr_t)from, buffer, piece, site, size < all);
        do_piece(SER_RAW_RANGE_WRITE, to, buffer, piece, site, size < all);
    }
}

/* What of a range lies in the line of its last byte. */
static size_t last_piece_of(const char *address, size_t size)
{
    size_t in_line = (uintptr_t)(address + size - 1) % LINE + 1;
    return size < in_line ? size : in_line;
}

static void copy_backward(char *to, const char *from, size_t size, ser_abi_site *site)
{
    const size_t all = size;
    unsigned char buffer[LINE];
    for (size_t piece; size > 0; size -= piece) {
        piece = last_piece_of(to, size);
        size_t other = last_piece_of(from, size);
        piece = piece < other ? piece : other;
        const char *source = from + size - piece;
        do_piece(SER_RAW_RANGE_READ, (char *)(uintptr_t)source, buffer, piece, site, size < all);
        do_piece(SER_RAW_RANGE_WRITE, to + size - piece, buffer, piece, site, size < all);
    }
}

static void copy_small(void *to, const void *from, size_t size, ser_abi_site *site)
{
    ser_runtime_access read = {
        .kind = SER_ACCESS_LOAD, .size = (uint32_t)size, .address = (void *)(uintptr_t)from};
    ser_access_do_words(&read, site);
    ser_runtime_access write = {
        .kind = SER_ACCESS_STORE, .size = (uint32_t)size, .address = to, .value = read.old};
    ser_access_do_words(&write, site);
}

static void copy_serially(void *to, const void *from, size_t size, ser_abi_site *site)
{
    ser_thread *me = ser_enter();
    memmove(to, from, size); /* first: a size that makes no sense ends here */
    if (records(me)) {
        uint32_t number = ser_site_number(me, site);
        put_range(me, SER_RAW_RANGE_READ, from, size, number);
        put_range(me, SER_RAW_RANGE_WRITE, to, size, number);
    }
    finish(me);
}

/* A range in or out of memory that is the caller's own. */
static void move(int op, char *address, char *other, size_t size, ser_abi_site *site)
{
    const size_t all = size;
    for (size_t piece; size > 0; address += piece, other += piece, size -= piece) {
        piece = world->parallel ? piece_of(address, size) : size;
        do_piece(op, address, other, piece, site, size < all);
    }
}

SER_EXPORT void *__seriatim_memmove(void *to, const void *from, size_t size, ser_abi_site *site)
{
    if (size == 0)
        return to;
    if (size <= sizeof(ser_value))
        copy_small(to, from, size, site);
    else if (!world->parallel)
        copy_serially(to, from, size, site);
    else if ((uintptr_t)to <= (uintptr_t)from)
        copy_forward(to, from, size, site);
    else
        copy_backward(to, from, size, site);
    return to;
}

SER_EXPORT void *__seriatim_memcpy(void *to, const void *from, size_t size, ser_abi_site *site)
{
    return __seriatim_memmove(to, from, size, site);
}

static void set_in_pieces(char *to, int byte, size_t size, ser_abi_site *site)
{
    const size_t all = size;
    unsigned char buffer[LINE];
    memset(buffer, byte, sizeof buffer);
    for (size_t piece; size > 0; to += piece, size -= piece) {
        piece = piece_of(to, size);
        do_piece(SER_RAW_RANGE_WRITE, to, buffer, piece, site, size < all);
    }
}

static void set_serially(void *to, int byte, size_t size, ser_abi_site *site)
{
    ser_thread *me = ser_enter();
    memset(to, byte, size);
    if (records(me))
        put_range(me, SER_RAW_RANGE_WRITE, to, size, ser_site_number(me, site));
    finish(me);
}

SER_EXPORT void *__seriatim_memset(void *to, int byte, size_t size, ser_abi_site *site)
{
    if (size == 0)
        return to;
    if (size <= sizeof(ser_value)) {
        ser_runtime_access access = {
            .kind = SER_ACCESS_STORE, .size = (uint32_t)size, .address = to};
        memset(access.value.bytes, byte, size);
        ser_access_do_words(&access, site);
    } else if (world->parallel) {
        set_in_pieces(to, byte, size, site);
    } else {
        set_serially(to, byte, size, site);
    }
    return to;
}

SER_EXPORT void __seriatim_load_n(const void *address, void *to, size_t size, ser_abi_site *site)
{
    if (size > sizeof(ser_value)) {
        move(SER_RAW_RANGE_READ, (char *)(uintptr_t)address, to, size, site);
    } else if (size > 0) {
        ser_runtime_access access = {
            .kind = SER_ACCESS_LOAD, .size = (uint32_t)size, .address = (void *)(uintptr_t)address};
        ser_access_do_words(&access, site);
        memcpy(to, access.old.bytes, size);
    }
}

SER_EXPORT void __seriatim_store_n(void *address, const void *from, size_t size, ser_abi_site *site)
{
    if (size > sizeof(ser_value)) {
        move(SER_RAW_RANGE_WRITE, address, (char *)(uintptr_t)from, size, site);
    } else if (size > 0) {
        ser_runtime_access access = {
            .kind = SER_ACCESS_STORE, .size = (uint32_t)size, .address = address};
        memcpy(access.value.bytes, from, size);
        ser_access_do_words(&access, site);
    }
}

/* In a line that all threads use: the short way for a range that is left out. */
static bool hides_locked(ser_thread *me, const ser_touch *touch)
{
    uintptr_t address = (uintptr_t)touch->address;
    if (!ser_line_is_common(address))
        return false;
    ser_line *line = ser_line_of(address);
    ser_line_lock(me, line);
    ser_lines_note(me, address, touch->size);
    bool hides = ser_line_is_common(address) && ser_touch_hides(me, touch);
    me->locked_size = 0;
    ser_line_unlock(me, line);
    return hides;
}

/* Only the clocks of the lines are needed: the access is not ours. */
static void tell_in_pieces(ser_thread *me, int op, const char *address, size_t size, uint32_t site,
                           bool goes_on)
{
    for (size_t length; size > 0; address += length, size -= length, goes_on = true) {
        length = piece_of(address, size);
        ser_touch touch = touch_of(op, address, length, goes_on);
        if (hides_locked(me, &touch))
            continue;
        ser_clocks_catch_up(me);
        ser_touch_begin(me, &touch);
        end_range(me, op, &touch, site);
    }
}

static void tell_part(ser_thread *me, int op, const char *address, size_t size, uint32_t site,
                      bool goes_on)
{
    if (world->parallel)
        tell_in_pieces(me, op, address, size, site, goes_on);
    else
        put_part(me, op, address, size, site, goes_on);
}

static void tell_range(int op, const void *address, size_t size, ser_abi_site *site)
{
    if (size == 0) /* the end of a file, for one: nothing to record, and nothing lost */
        return;
    ser_thread *me = ser_self;
    if (ser_access_hides_own_words(me, (uintptr_t)address, size, op == SER_RAW_RANGE_WRITE)) {
        ser_leave(me);
        return;
    }
    me = ser_enter();
    if (records(me)) {
        uint32_t number = ser_site_number(me, site);
        tell_part(me, op, address, size, number, false);
    }
    finish(me);
}

SER_EXPORT void __seriatim_range_read(const void *address, size_t size, ser_abi_site *site)
{
    tell_range(SER_RAW_RANGE_READ, address, size, site);
}

SER_EXPORT void __seriatim_range_written(const void *address, size_t size, ser_abi_site *site)
{
    tell_range(SER_RAW_RANGE_WRITE, address, size, site);
}

/* --- memory that is freed --------------------------------------------------- */

/* Was the word accessed since its memory is new? A thread that does it just now has no right to. */
static bool is_used(uintptr_t word)
{
    const ser_word *shadow = ser_word_at(word * 8);
    return shadow && (__atomic_load_n(&shadow->write, __ATOMIC_RELAXED) |
                      __atomic_load_n(&shadow->read, __ATOMIC_RELAXED)) != 0;
}

/* Words that nobody accessed have nothing to conflict with, and most blocks have many. */
static bool free_used_words(ser_thread *me, uintptr_t start, uintptr_t end, uint32_t site)
{
    bool begun = false;
    for (uintptr_t at = start / 8, last = (end - 1) / 8; at <= last; at++) {
        uintptr_t first = at;
        while (at <= last && is_used(at))
            at++;
        if (at == first)
            continue;
        uintptr_t from = first * 8 < start ? start : first * 8, to = at * 8 < end ? at * 8 : end;
        tell_part(me, SER_RAW_RANGE_FREE, (const char *)from, to - from, site, begun);
        begun = true;
    }
    return begun;
}

/* As one record, above all that was done there (parallel mode): no shadow is kept of it. */
static void free_whole(ser_thread *me, const void *block, size_t size, uint32_t site)
{
    if (world->parallel) {
        ser_lines_rise(me, (uintptr_t)block, size);
        ser_lines_lock(me, block, 1);
    }
    ser_count_recorded(me);
    ser_put_raw(me, (uintptr_t)block, size, ser_tag(SER_RAW_RANGE_FREE, 0, site));
    if (world->parallel) {
        ser_lines_unlock(me, block, 1);
        ser_clocks_publish(me);
    }
}

/* One operation in any case, so that a replay, which keeps no shadow, counts the same. */
void ser_access_free(ser_thread *me, const void *block, size_t size)
{
    enum { MOST = 1 << 24 }; /* larger ones would take long, and are mostly of one thread */
    if (!records(me) || size == 0)
        return;
    uint32_t site = ser_here(me);
    uintptr_t start = (uintptr_t)block;
    if (me->keeping & SER_KEEP_ALL)
        free_whole(me, block, size, site);
    else if (size > MOST || !free_used_words(me, start, start + size, site))
        ser_leave_out(me);
}
