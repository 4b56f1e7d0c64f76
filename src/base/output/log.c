/* SPDX-License-Identifier: MIT */
#include "base/output/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/output/print.h"
#include "base/output/progress.h"

static bool quiet_log;

void ser_log_set_quiet(bool quiet)
{
    quiet_log = quiet;
}

bool ser_log_is_quiet(void)
{
    return quiet_log;
}

static void print_line(const char *label, const char *format, va_list arguments)
{
    ser_progress_erase();
    fflush(stdout); /* so that both streams keep their order on a terminal */
    ser_vprint_message(stderr, label, format, arguments);
}

void ser_message(const char *format, ...)
{
    if (quiet_log)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
}

void ser_warning(const char *format, ...)
{
    if (quiet_log)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("warning: ", format, arguments);
    va_end(arguments);
}

void ser_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
}
