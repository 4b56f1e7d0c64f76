/* SPDX-License-Identifier: MIT */
#include "instrument/guards/guard_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "instrument/guards/guards.h"

/* One that counts in each round contains that of the last one. */
static bool is_known(const ser_guard_list *list, const char *guard)
{
    size_t length = strlen(guard);
    for (const char *at = list->text; at < list->text + list->length;) {
        size_t known = strcspn(at, ";");
        if (known == length && memcmp(at, guard, length) == 0)
            return true;
        at += known + 1;
    }
    return false;
}

bool ser_guard_list_add(ser_guard_list *list, const char *guard, bool is_late)
{
    size_t room = list->size - list->length;
    char *end = list->text + list->length;
    int length = snprintf(end, room, "%s%s%s", list->count ? ";" : "", is_late ? "!" : "", guard);
    const char *whole = end + (list->count ? 1 : 0);
    bool fits = (size_t)length < room,
         known = is_known(list, guard) || (fits && is_late && is_known(list, whole));
    if (known || !fits || list->count == SER_MOST_TEXT_GUARDS) {
        *end = '\0'; /* a shorter one may come */
        return known;
    }
    list->length += (size_t)length;
    list->count++;
    return true;
}

bool ser_guard_list_put_before(ser_guard_list *list, const char *format, ...)
{
    char before[SER_GUARDS_SIZE];
    va_list arguments;
    va_start(arguments, format);
    size_t length = (size_t)vsnprintf(before, sizeof before - 1, format, arguments);
    va_end(arguments);
    if (length >= sizeof before - 1)
        return false;
    if (list->length > 0)
        before[length++] = ';';
    if (list->length + length >= list->size)
        return false;
    memmove(list->text + length, list->text, list->length + 1);
    memcpy(list->text, before, length);
    list->length += length;
    return true;
}
