/* SPDX-License-Identifier: MIT */
/*
 * Formats a line without the C library, whose printf allocates and locks.
 */
#include "runtime/core/log.h"

#include <string.h>

#include "runtime/core/core.h"

static ser_runtime_world *const world = &ser_the_world;

uint32_t ser_log_wanted;

/* Where the next character goes; there is always room for the 0. */
typedef struct cursor {
    char *to, *end;
} cursor;

static void put_text(cursor *line, const char *text)
{
    while (*text && line->to < line->end)
        *line->to++ = *text++;
}

static void put_number(cursor *line, uint64_t number, unsigned base)
{
    char digits[24];
    char *start = digits + sizeof digits - 1;
    *start = 0;
    do
        *--start = "0123456789abcdef"[number % base];
    while (number /= base);
    put_text(line, start);
}

static void put_value(cursor *line, char kind, uint64_t value)
{
    if (kind == 's') {
        put_text(line, (const char *)(uintptr_t)value);
    } else if (kind == 'x') {
        put_text(line, "0x");
        put_number(line, value, 16);
    } else {
        put_number(line, value, 10);
    }
}

static void fill(ser_logbook_line *line, const char *format, const uint64_t *values, size_t count)
{
    cursor at = {line->text, line->text + sizeof line->text - 1};
    size_t used = 0;
    for (; *format; format++) {
        char literal[2] = {*format};
        if (*format == '%' && format[1] && used < count)
            put_value(&at, *++format, values[used++]);
        else
            put_text(&at, literal);
    }
    *at.to = 0;
}

static uint16_t caller(void)
{
    const ser_thread *me = ser_self;
    return me == &ser_nobody || me == &ser_stranger ? SER_LOG_NO_THREAD : (uint16_t)me->number;
}

void ser_log_put(int topic, int level, const char *format, const uint64_t *values, size_t count)
{
    ser_channel *channel = world->channel;
    ser_logbook *book = channel ? ser_channel_at(channel, channel->log) : 0;
    if (!book)
        return;
    struct timespec now;
    ser_now(CLOCK_MONOTONIC, &now);
    uint64_t number = __atomic_fetch_add(&book->next, 1, __ATOMIC_RELAXED);
    ser_logbook_line *line = &book->lines[number % SER_LOGBOOK_LINES];
    __atomic_store_n(&line->published, 0, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    line->time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    line->thread = caller();
    line->topic = (uint8_t)topic;
    line->level = (uint8_t)level;
    fill(line, format, values, count);
    __atomic_store_n(&line->published, number + 1, __ATOMIC_RELEASE);
    if (number % (SER_LOGBOOK_LINES / 4) == SER_LOGBOOK_LINES / 4 - 1)
        ser_ring_kick();
}

void ser_runtime_log_start(void)
{
    if (world->channel->log.size >= sizeof(ser_logbook))
        ser_log_wanted = world->channel->log_wanted;
}
