/* SPDX-License-Identifier: MIT */
#include "api/call.h"

#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/output/log.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

void ser_api_take(void *ours, size_t size, const void *given)
{
    memset(ours, 0, size);
    if (given)
        memcpy(ours, given, smaller(size, size_of(given)));
}

void ser_api_give(void *given, const void *ours, size_t size)
{
    if (!given)
        return;
    size_t known = smaller(size, size_of(given)), skipped = sizeof(size_t);
    if (known > skipped)
        memcpy((char *)given + skipped, (const char *)ours + skipped, known - skipped);
}

void ser_api_enter(ser_api_call *call)
{
    *call = (ser_api_call){.was_quiet = ser_log_is_quiet()};
    ser_log_set_quiet(true);
    ser_interrupt_reset();
}

int ser_api_leave(const ser_api_call *call, ser_status status, char *message, size_t size)
{
    ser_log_set_quiet(call->was_quiet);
    bool is_failure = call->error.text[0] != '\0' && status != SER_OK && status != SER_VIOLATION;
    if (message && size)
        snprintf(message, size, "%s", is_failure ? call->error.text : "");
    return (int)status;
}
