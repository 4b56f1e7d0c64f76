/* SPDX-License-Identifier: MIT */
/*
 * A line is copied and then looked at again: if its number is still the same, it was not
 * overwritten in the meantime.
 */
#include "record/capture/program/runtime_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/output/topics.h"
#include "contract/logbook.h"

static_assert((int)SER_TOPIC_RUNTIME == SER_LOG_RUNTIME && (int)SER_TOPIC_TOKEN == SER_LOG_TOKEN &&
                  (int)SER_TOPIC_WAIT == SER_LOG_WAIT && (int)SER_TOPIC_REPLAY == SER_LOG_REPLAY,
              "topics of the runtime are numbered alike on both sides");

uint32_t ser_runtime_log_wanted(void)
{
    return ser_topics_wanted & (SER_LOG_BIT(SER_RUNTIME_TOPICS, 0) - 1);
}

static void print(const ser_channel *channel, const ser_logbook_line *line)
{
    char thread[16];
    snprintf(thread, sizeof thread, line->thread == SER_LOG_NO_THREAD ? "-" : "T%u", line->thread);
    ser_log_line_of(line->topic < SER_RUNTIME_TOPICS ? (ser_topic)line->topic : SER_TOPIC_RUNTIME,
                    (double)line->time / 1e9, channel->owner, thread, line->text);
}

/* False: it is not there yet, or not any more. The second look is an atomic update, so that the
 * copy cannot be reordered behind it; a fence would do, but the thread sanitizer does not
 * support fences. */
static bool copy_line(const ser_logbook *book, uint64_t number, ser_logbook_line *copy)
{
    const ser_logbook_line *line = &book->lines[number % SER_LOGBOOK_LINES];
    uint64_t *published = (uint64_t *)(uintptr_t)&line->published;
    uint64_t before = __atomic_load_n(published, __ATOMIC_ACQUIRE);
    *copy = *line;
    copy->text[sizeof copy->text - 1] = 0;
    return before == number + 1 && __atomic_fetch_add(published, 0, __ATOMIC_ACQ_REL) == before;
}

void ser_runtime_log_print(const ser_channel *channel, bool dead, uint64_t *next)
{
    const ser_logbook *book = ser_channel_at(channel, channel->log);
    uint64_t end = book ? __atomic_load_n(&book->next, __ATOMIC_ACQUIRE) : 0, lost = 0;
    if (end > *next + SER_LOGBOOK_LINES) {
        lost = end - SER_LOGBOOK_LINES - *next;
        *next += lost;
    }
    ser_logbook_line line;
    for (; *next < end; ++*next) {
        if (copy_line(book, *next, &line))
            print(channel, &line);
        else if (dead || __atomic_load_n(&book->next, __ATOMIC_ACQUIRE) > *next + SER_LOGBOOK_LINES)
            lost++;
        else
            break; /* a thread is writing it */
    }
    if (lost > 0)
        ser_log_line(SER_TOPIC_RUNTIME, "%" PRIu64 " lines of the program's log were lost", lost);
}
