/* SPDX-License-Identifier: MIT */
/*
 * Ranges: memcpy and friends, and accesses of odd sizes.
 *
 * Up to 16 bytes they are one access (two for a copy), with its value; longer ones
 * are records of whole ranges. In parallel mode they go line by line, since one
 * lock covers one line: every piece is exact, and a range is no single step anyway.
 */
#include <string.h>
#include <sys/uio.h>

#include "runtime/access/ranges.h"

#include "runtime/access/access.h"
#include "runtime/core/records/lines.h"

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
    if (!touch->elided) {
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

/* Serial mode. There may be more pieces of a range than the ring has room for. */
static void put_piece(ser_thread *me, int op, const char *address, size_t size, uint32_t site,
                      bool goes_on)
{
    ser_touch touch = touch_of(op, address, size, goes_on);
    uint64_t tail = goes_on ? __atomic_load_n(&me->ring->tail, __ATOMIC_ACQUIRE) : me->ring->head;
    if (me->ring->head + SER_ROOM > tail + SER_RING_RECORDS)
        ser_ring_await_room(me);
    ser_touch_begin(me, &touch);
    end_range(me, op, &touch, site);
}

/* Serial mode: by runs of words that are elided, or are not. */
static void put_range(ser_thread *me, int op, const char *address, size_t size, uint32_t site)
{
    const size_t all = size;
    while (size > 0) {
        ser_touch touch = touch_of(op, address, size, size < all);
        size_t run = ser_touch_run(me, &touch);
        put_piece(me, op, address, run, site, size < all);
        address += run;
        size -= run;
    }
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

/* In a line that all threads use: the fast path for a range that is elided. */
static bool hides_locked(ser_thread *me, const ser_touch *touch)
{
    uintptr_t address = (uintptr_t)touch->address;
    if (!ser_line_is_common(address))
        return false;
    ser_line *line = ser_line_of(address);
    ser_line_lock(me, line);
    ser_lines_note(me, address, touch->size);
    bool elides = ser_line_is_common(address) && ser_touch_elides(me, touch);
    me->locked_size = 0;
    ser_line_unlock(me, line);
    return elides;
}

/* Only the clocks of the lines are needed: the access is not ours. */
static void record_in_pieces(ser_thread *me, int op, const char *address, size_t size,
                             uint32_t site, bool goes_on)
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

void ser_range_record(ser_thread *me, int op, const char *address, size_t size, uint32_t site,
                      bool goes_on)
{
    if (world->parallel)
        record_in_pieces(me, op, address, size, site, goes_on);
    else
        put_piece(me, op, address, size, site, goes_on);
}

static void record_range(int op, const void *address, size_t size, ser_abi_site *site)
{
    /* The end of a file, or a buffer that is left out: nothing to record, and nothing lost. */
    if (size == 0 || !address)
        return;
    ser_thread *me = ser_self;
    if (ser_access_hides_own_words(me, (uintptr_t)address, size, op == SER_RAW_RANGE_WRITE)) {
        ser_leave(me);
        return;
    }
    me = ser_enter();
    if (records(me)) {
        uint32_t number = ser_site_number(me, site);
        if (world->parallel)
            record_in_pieces(me, op, address, size, number, false);
        else
            put_range(me, op, address, size, number);
    }
    finish(me);
}

SER_EXPORT void __seriatim_range_read(const void *address, size_t size, ser_abi_site *site)
{
    record_range(SER_RAW_RANGE_READ, address, size, site);
}

SER_EXPORT void __seriatim_range_written(const void *address, size_t size, ser_abi_site *site)
{
    record_range(SER_RAW_RANGE_WRITE, address, size, site);
}

SER_EXPORT void __seriatim_parts_read(const void *parts, uint64_t count, ser_abi_site *site)
{
    const struct iovec *part = parts;
    for (uint64_t i = 0; !ser_is_off && i < count; i++)
        __seriatim_range_read(part[i].iov_base, part[i].iov_len, site);
}

SER_EXPORT void __seriatim_parts_written(const void *parts, uint64_t count, uint64_t bytes,
                                         ser_abi_site *site)
{
    const struct iovec *part = parts;
    uint64_t left = (int64_t)bytes < 0 || ser_is_off ? 0 : bytes;
    for (uint64_t i = 0; left > 0 && i < count; i++) {
        uint64_t size = part[i].iov_len < left ? part[i].iov_len : left;
        __seriatim_range_written(part[i].iov_base, size, site);
        left -= size;
    }
}
