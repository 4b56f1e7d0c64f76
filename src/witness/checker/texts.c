/* SPDX-License-Identifier: MIT */
#include "witness/checker/texts.h"

#include <stdlib.h>
#include <string.h>

const char *ser_checker_round(const char *text, uint64_t *number)
{
    size_t digits = *text == '$' ? strspn(text + 1, "0123456789") : 0;
    if (digits == 0 || text[1 + digits] != '=')
        return NULL;
    *number = strtoull(text + 1, NULL, 10);
    return text + digits + 2;
}

static const char *behind_part(const char *text)
{
    text += strcspn(text, ";");
    return text + (*text == ';');
}

const char *ser_checker_behind_rounds(const char *text)
{
    uint64_t number;
    while (ser_checker_round(text, &number))
        text = behind_part(text);
    return text;
}

const char *ser_checker_round_of(const char *text, uint64_t number)
{
    uint64_t each;
    for (const char *code; (code = ser_checker_round(text, &each)); text = behind_part(text))
        if (each == number)
            return code;
    return NULL;
}

const char *ser_checker_next_register(const char *text, const char *end, uint64_t *number)
{
    for (const char *at = strchr(text, '$'); at && at < end; at = strchr(at + 1, '$')) {
        size_t length = 1 + strspn(at + 1, "0123456789");
        bool is_first = strncmp(at + length, ":0:", 3) == 0;
        if (at[length] == '=' || is_first)
            continue;
        *number = strtoull(at + 1, NULL, 10);
        return at + length;
    }
    return NULL;
}

bool ser_checker_has_key(const char *text)
{
    return *text == '@' && text[1 + strspn(text + 1, "0123456789")] != ',';
}

const char *ser_checker_behind_key(const char *text)
{
    const char *end = text + strcspn(text, ";");
    if (!ser_checker_has_key(text))
        return text;
    return *end ? end + 1 : end;
}

const char *ser_checker_guards_in(const char *text)
{
    const char *at = ser_checker_behind_key(text), *end = at + strcspn(at, ";");
    if (*at != '=')
        return ser_checker_behind_rounds(at);
    return *end ? end + 1 : end;
}
