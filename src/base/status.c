/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ser_status ser_fail(ser_error *error, ser_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        error->status = status;
    }
    return status;
}

void ser_error_prefix(ser_error *error, const char *format, ...)
{
    if (!error)
        return;
    char message[sizeof error->text];
    memcpy(message, error->text, sizeof message);

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);

    size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, ": %s", message);
}

void ser_error_append(ser_error *error, const char *format, ...)
{
    if (!error)
        return;
    size_t used = strlen(error->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + used, sizeof error->text - used, format, arguments);
    va_end(arguments);
}

void ser_check_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "seriatim: internal error at %s:%d: %s does not hold\n", file, line, condition);
    exit(SER_INTERNAL);
}
