/* SPDX-License-Identifier: MIT */
#include "instrument/code/lock_names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A part of a text. */
typedef struct part {
    const char *text;
    size_t length;
} part;

static part name_of(const char *symbol)
{
    return strncmp(symbol, "_Z", 2) == 0 ? (part){0} : (part){symbol, strlen(symbol)};
}

/* The word at the beginning of the rest of a name; the rest becomes what is behind. */
static part next_word(part *rest)
{
    size_t begin = 0, end;
    while (begin < rest->length && !isalnum((unsigned char)rest->text[begin]))
        begin++;
    for (end = begin; end < rest->length && isalnum((unsigned char)rest->text[end]); end++)
        if (end > begin && isupper((unsigned char)rest->text[end]) &&
            !isupper((unsigned char)rest->text[end - 1]))
            break;
    part word = {rest->text + begin, end - begin};
    *rest = (part){rest->text + end, rest->length - end};
    return word;
}

static bool ends_with(part word, const char *end)
{
    size_t size = strlen(end);
    return word.length >= size && strncasecmp(word.text + word.length - size, end, size) == 0;
}

static bool cut_beginning(part *word, const char *beginning)
{
    size_t size = strlen(beginning);
    if (word->length < size || strncasecmp(word->text, beginning, size) != 0)
        return false;
    *word = (part){word->text + size, word->length - size};
    return true;
}

static bool is_acquire(part word)
{
    static const char *const tried[] = {"try", "timed", "clock"};
    static const char *const kinds[] = {"read", "write", "rd", "wr", "r", "w"};
    if (word.length == strlen("clock") && ends_with(word, "clock"))
        return false;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (cut_beginning(&word, tried[i]))
            break;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (cut_beginning(&word, kinds[i]))
            break;
    return word.length == strlen("lock") && ends_with(word, "lock");
}

bool ser_names_release(const char *symbol)
{
    for (part rest = name_of(symbol); rest.length > 0;)
        if (ends_with(next_word(&rest), "unlock"))
            return true;
    return false;
}

bool ser_names_acquire(const char *symbol)
{
    if (ser_names_release(symbol))
        return false;
    for (part rest = name_of(symbol); rest.length > 0;)
        if (is_acquire(next_word(&rest)))
            return true;
    return false;
}
