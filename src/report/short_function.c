/* SPDX-License-Identifier: MIT */
#include "report/short_function.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

enum { FEW = 24 }; /* letters of arguments that stay */

/* `operator<`, `operator<<`, `operator->` open and close nothing. */
static bool is_operator(const char *name, const char *at)
{
    static const char word[] = "operator";
    while (at > name && strchr("<>-=", at[-1]))
        at--;
    size_t length = sizeof word - 1;
    return (size_t)(at - name) >= length && strncmp(at - length, word, length) == 0;
}

/* The bracket that closes one; NULL: none does. */
static const char *find_end(const char *name, const char *open)
{
    int depth = 0;
    for (const char *at = open; *at; at++) {
        if (is_operator(name, at))
            continue;
        depth += (*at == '<') - (*at == '>' && at[-1] != '-');
        if (depth == 0)
            return at;
    }
    return NULL;
}

char *ser_short_function(const char *name)
{
    char *text = ser_copy_text(name, strlen(name)), *to = text;
    for (const char *at = name; *at; at++) {
        const char *end = *at == '<' && !is_operator(name, at) ? find_end(name, at) : NULL;
        *to++ = *at;
        if (end && end - at > FEW) {
            memcpy(to, "..>", 3);
            to += 3;
            at = end;
        }
    }
    *to = '\0';
    return text;
}
