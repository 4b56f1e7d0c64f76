/* SPDX-License-Identifier: MIT */
#include "bugs/naming.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
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
    const char *index = memchr(name, '[', length); /* of objects that have no other name */
    if (index > name && isdigit((unsigned char)index[1]) && !memchr(name, '@', length))
        length = (size_t)(index - name);
    return ser_copy_text(name, length);
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(14695981039346656037);
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return value;
}

void ser_bug_make_id(char id[SER_BUG_ID_SIZE], const char *key, unsigned number)
{
    enum { ID_BITS = 40 };
    uint64_t value = hash(key) >> (64 - ID_BITS);
    if (number == 1)
        snprintf(id, SER_BUG_ID_SIZE, "%010" PRIx64, value);
    else
        snprintf(id, SER_BUG_ID_SIZE, "%010" PRIx64 "-%u", value, number);
}
