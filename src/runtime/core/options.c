/* SPDX-License-Identifier: MIT */
/*
 * Reading the settings without the C library's number parsers, which may set errno and depend on
 * the locale. Unknown settings are ignored.
 */
#include "runtime/core/core.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct option {
    const char *name;
    size_t offset;
    uint64_t smallest, largest;
} option;

static const option options_table[] = {
#define SER_X(name, standard, smallest, largest, help)                                             \
    {#name, offsetof(ser_runtime_options, name), smallest, largest},
    SER_RUNTIME_OPTIONS(SER_X)
#undef SER_X
};

static bool equals(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool read_number(const char *text, size_t length, uint64_t *number)
{
    *number = UINT64_MAX;
    if (equals("all", text, length))
        return true;
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || *number > (UINT64_MAX - 9) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(text[i] - '0');
    }
    return length > 0;
}

static bool read_scheduler(const char *text, size_t length, uint64_t *number)
{
    static const char *const names[] = SER_SCHEDULER_NAMES;
    for (*number = 0; *number < SER_SCHEDULER_COUNT; ++*number)
        if (equals(names[*number], text, length))
            return true;
    return false;
}

static void set(ser_runtime_options *options, const char *key, size_t key_length, const char *text,
                size_t length)
{
    for (size_t i = 0; i < sizeof options_table / sizeof *options_table; i++) {
        const option *entry = &options_table[i];
        uint64_t number;
        if (!equals(entry->name, key, key_length))
            continue;
        bool good = entry->offset == offsetof(ser_runtime_options, scheduler)
                        ? read_scheduler(text, length, &number)
                        : read_number(text, length, &number);
        if (good && number >= entry->smallest && number <= entry->largest)
            memcpy((char *)options + entry->offset, &number, sizeof number);
    }
}

void ser_runtime_options_read(ser_runtime_options *options, const char *text)
{
#define SER_X(name, standard, smallest, largest, help) options->name = standard;
    SER_RUNTIME_OPTIONS(SER_X)
#undef SER_X
    while (text && *text) {
        size_t length = strcspn(text, ":");
        size_t key = strcspn(text, "=:");
        if (key < length)
            set(options, text, key, text + key + 1, length - key - 1);
        text += length + (text[length] == ':');
    }
}
