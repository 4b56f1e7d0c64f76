/* SPDX-License-Identifier: MIT */
#include "bugs/naming.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

const char *ser_bug_function(const ser_symbols *symbols, const ser_event *event)
{
    uint32_t function = ser_op_calls((ser_op)event->op)
                            ? event->object
                            : ser_symbols_site_function(symbols, event->site);
    return ser_symbols_shown_name(symbols, SER_SPACE_FUNCTION, function);
}

/* Where one of the marks that instances have begins; the whole length if none does. */
static size_t end_of_kind(const char *name, size_t length)
{
    static const char *const marks[] = {", allocated at ", " in thread ", " ("};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(name, marks[i]);
        if (found && found > name && (size_t)(found - name) < length)
            length = (size_t)(found - name);
    }
    return length;
}

char *ser_bug_kind_of_variable(const char *name)
{
    size_t length = end_of_kind(name, strlen(name));
    size_t digits = length;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
        digits--;
    if (digits < length && digits > 1 && name[digits - 1] == '+')
        length = digits - 1;
    return ser_copy_text(name, length);
}
