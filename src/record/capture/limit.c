/* SPDX-License-Identifier: MIT */
#include "record/capture/limit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"

/* Prediction holds 71 bytes per event, and names and findings besides. */
enum { BYTES_AN_EVENT = 100, EVENTS_AT_LEAST = 1000000 };

ser_limit ser_limit_standard(void)
{
    uint64_t events = ser_host_memory() / 2 / BYTES_AN_EVENT;
    return (ser_limit){events < EVENTS_AT_LEAST ? EVENTS_AT_LEAST : events, UINT64_MAX, 0};
}

static uint64_t factor_of(char suffix)
{
    switch (suffix) {
    case 'k':
        return 1000;
    case 'M':
        return 1000000;
    case 'G':
        return 1000000000;
    default:
        return 1;
    }
}

static bool is_unit(const char *text, size_t length, const char *unit)
{
    return strlen(unit) == length && memcmp(text, unit, length) == 0;
}

/* One item, without the comma. */
static bool read_item(ser_limit *limit, const char *item, size_t length)
{
    char *end;
    if (!isdigit((unsigned char)*item))
        return false;
    double number = strtod(item, &end);
    uint64_t factor = factor_of(*end);
    const char *unit = end + (factor > 1);
    if (unit > item + length || number * (double)factor >= 1e18)
        return false;
    size_t left = (size_t)(item + length - unit);
    number *= (double)factor;
    if (left == 0 || is_unit(unit, left, "events"))
        limit->events = (uint64_t)number;
    else if (is_unit(unit, left, "bytes") || is_unit(unit, left, "B"))
        limit->bytes = (uint64_t)number;
    else if (is_unit(unit, left, "s") && number > 0)
        limit->seconds = number;
    else
        return false;
    return true;
}

ser_status ser_limit_read(ser_limit *limit, const char *text, ser_error *error)
{
    *limit = (ser_limit){UINT64_MAX, UINT64_MAX, 0};
    for (const char *item = text;; item++) {
        size_t length = strcspn(item, ",");
        if (!read_item(limit, item, length))
            return ser_fail(error, SER_USAGE,
                            "--limit needs events, bytes or seconds, such as 10M, 2Gbytes, 30s or "
                            "10M,30s, not \"%s\"",
                            text);
        item += length;
        if (!*item)
            return SER_OK;
    }
}
