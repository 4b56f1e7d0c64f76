/* SPDX-License-Identifier: MIT */
#include "base/output/topics.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output/print.h"
#include "base/output/progress.h"

uint32_t ser_topics_wanted;

static FILE *file;   /* NULL: standard error */
static double start; /* when the log was */

static const char *const names[] = {
#define SER_X(TOPIC, name, help) #name,
    SER_LOG_TOPICS(SER_X)
#undef SER_X
};

static bool equals(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

/* Bits of the topics that a name stands for; 0: there is none. */
static uint32_t find_topics(const char *text, size_t length)
{
    if (equals("all", text, length))
        return UINT32_MAX;
    for (size_t i = 0; i < SER_TOPIC_COUNT; i++)
        if (equals(names[i], text, length))
            return UINT32_C(3) << (2 * i);
    return 0;
}

/* The level debug includes info. */
static uint32_t find_levels(const char *text, size_t length)
{
    const uint32_t every_info = UINT32_C(0x55555555);
    if (length == 0 || equals(":info", text, length))
        return every_info;
    return equals(":debug", text, length) ? UINT32_MAX : 0;
}

static ser_status refuse(const char *text, size_t length, ser_error *error)
{
    ser_fail(error, SER_USAGE,
             "SERIATIM_LOG: \"%.*s\" is not TOPIC, TOPIC:info or TOPIC:debug; "
             "topics are all",
             (int)length, text);
    for (size_t i = 0; i < SER_TOPIC_COUNT; i++)
        ser_error_append(error, ", %s", names[i]);
    return SER_USAGE;
}

static ser_status read_topics(const char *text, ser_error *error)
{
    while (*text) {
        size_t length = strcspn(text, ","), name = strcspn(text, ",:");
        uint32_t wanted = find_topics(text, name) & find_levels(text + name, length - name);
        if (length > 0 && !wanted)
            return refuse(text, length, error);
        ser_topics_wanted |= length > 0 ? wanted : 0;
        text += length + (text[length] == ',');
    }
    return SER_OK;
}

static ser_status open_file(const char *path, ser_error *error)
{
    file = fopen(path, "ae");
    if (!file)
        return ser_fail(error, SER_INPUT, "SERIATIM_LOG_FILE: cannot write %s: %s", path,
                        strerror(errno));
    setvbuf(file, NULL, _IOLBF, 0);
    return SER_OK;
}

ser_status ser_log_start(ser_error *error)
{
    const char *topics = getenv("SERIATIM_LOG"), *path = getenv("SERIATIM_LOG_FILE");
    ser_status status = topics ? read_topics(topics, error) : SER_OK;
    if (status == SER_OK && ser_topics_wanted && path && *path)
        status = open_file(path, error);
    start = ser_clock_now();
    unsetenv("SERIATIM_LOG");
    unsetenv("SERIATIM_LOG_FILE");
    return status;
}

void ser_log_line_of(ser_topic topic, double time, int process, const char *thread,
                     const char *text)
{
    if (!file && getpid() == gettid())
        ser_progress_erase(); /* which only this thread draws */
    ser_print(file ? file : stderr, "[%11.6f %d/%s %s] %s\n", time - start, process, thread,
              names[topic], text);
}

void ser_log_line(ser_topic topic, const char *format, ...)
{
    char text[1024], thread[16];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(thread, sizeof thread, "%d", (int)gettid());
    ser_log_line_of(topic, ser_clock_now(), (int)getpid(), thread, text);
}
