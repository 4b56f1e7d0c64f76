/* SPDX-License-Identifier: MIT */
#include "report/source_line.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* The place of the last ":N" before `end`; NULL if there is none. */
static const char *last_number(const char *text, const char *end, uint32_t *number)
{
    const char *digits = end;
    while (digits > text && isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == end || digits <= text + 1 || digits[-1] != ':')
        return NULL;
    *number = (uint32_t)strtoul(digits, NULL, 10);
    return digits - 1;
}

int ser_split_place(const char *location, uint32_t *line, uint32_t *column)
{
    uint32_t last, before;
    const char *colon = last_number(location, location + strlen(location), &last);
    if (!colon)
        return 0;
    const char *first = last_number(location, colon, &before);
    *line = first ? before : last;
    *column = first ? last : 0;
    return (int)((first ? first : colon) - location);
}

int ser_split_location(const char *location, uint32_t *line)
{
    uint32_t column;
    return ser_split_place(location, line, &column);
}

/* The current folder, with a slash at the end; "" if it is not known. */
static const char *current_folder(void)
{
    static char folder[PATH_MAX + 1];
    if (!*folder && getcwd(folder, PATH_MAX) && folder[1])
        memcpy(folder + strlen(folder), "/", sizeof "/");
    return folder;
}

static bool is_there(const char *location)
{
    uint32_t line;
    int length = ser_split_location(location, &line);
    char *path = ser_copy_text(location, length ? (size_t)length : strlen(location));
    bool found = access(path, R_OK) == 0;
    free(path);
    return found;
}

/* "../bank.c", as seen from the folder in which it was compiled, is bank.c here. */
static const char *skip_way_up(const char *location)
{
    static const char up[] = "../";
    const char *rest = location;
    while (strncmp(rest, up, sizeof up - 1) == 0)
        rest += sizeof up - 1;
    return rest != location && !is_there(location) && is_there(rest) ? rest : location;
}

const char *ser_short_location(const char *location)
{
    const char *folder = current_folder();
    if (*location == '.')
        return skip_way_up(location);
    size_t length = strlen(folder);
    bool is_below = length > 0 && strncmp(location, folder, length) == 0;
    return is_below && location[length] ? location + length : location;
}

const char *ser_brief_location(const char *location)
{
    static const char of_system[] = "/usr/";
    if (strncmp(location, of_system, sizeof of_system - 1) == 0)
        return strrchr(location, '/') + 1;
    return ser_short_location(location);
}

static bool is_named_like_source(const char *path)
{
    static const char endings[] =
        " c h C H cc hh cpp hpp cxx hxx c++ h++ inc inl ipp tcc def y l s S m mm "
        "java kt scala rs go ";
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    char wanted[16];
    if (!dot || (slash && dot < slash) || strchr(dot, ' '))
        return false;
    int length = snprintf(wanted, sizeof wanted, " %s ", dot + 1);
    return length < (int)sizeof wanted && strstr(endings, wanted);
}

FILE *ser_open_source(const char *path)
{
    struct stat about;
    int descriptor =
        is_named_like_source(path) ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return NULL;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode))
        return fdopen(descriptor, "r");
    close(descriptor);
    return NULL;
}

static char *trim(const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)*text))
        text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    char *line = ser_copy_text(text, length);
    for (char *at = line; (at = strchr(at, '\t'));)
        *at = ' ';
    return line;
}

/* The whole line; NULL if the file cannot be read. To be freed. */
static char *read_line(const char *location)
{
    uint32_t wanted = 0;
    int length = ser_split_location(location, &wanted);
    if (length == 0 || wanted == 0)
        return NULL;
    char *path = ser_copy_text(location, (size_t)length);
    FILE *file = ser_open_source(path);
    free(path);
    if (!file)
        return NULL;
    char *line = NULL;
    size_t size = 0;
    uint32_t number = 0;
    while (number < wanted && getline(&line, &size, file) >= 0)
        number++;
    fclose(file);
    if (number == wanted)
        return line;
    free(line);
    return NULL;
}

char *ser_source_line(const char *location)
{
    char *line = read_line(ser_short_location(location));
    char *found = line ? trim(line, strlen(line)) : NULL;
    free(line);
    return found;
}

/* --- columns ---------------------------------------------------------------- */

static bool is_of_word(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* "balance" of "alice.balance", "slots" of "slots[3]": the length of the word, and where it is; 0:
 * there is none. */
static size_t last_word(const char *name, const char **word)
{
    const char *end = name + strlen(name);
    while (end > name && end[-1] == ']') {
        const char *open = memrchr(name, '[', (size_t)(end - name));
        end = open ? open : name;
    }
    *word = end;
    while (*word > name && is_of_word((*word)[-1]))
        (*word)--;
    return isdigit((unsigned char)**word) ? 0 : (size_t)(end - *word);
}

/* Is it the name of a member of something there? */
static bool is_member(const char *line, const char *at)
{
    return at > line && (at[-1] == '.' || (at[-1] == '>' && at > line + 1 && at[-2] == '-'));
}

/* How often the word is there, perhaps only as a member's name; *column, from 1 on, is where it is
 * last. What follows something other than ASCII has no column, and counts twice. */
static unsigned count_word(const char *line, const char *word, size_t length, bool members,
                           uint32_t *column)
{
    unsigned count = 0;
    bool is_ascii = true;
    for (const char *at = line; *at; at++) {
        is_ascii &= !(*at & 0x80);
        bool starts = (at == line || !is_of_word(at[-1])) && (!members || is_member(line, at));
        if (!starts || strncmp(at, word, length) != 0 || is_of_word(at[length]))
            continue;
        count += is_ascii ? 1 : 2;
        *column = (uint32_t)(at - line) + 1;
    }
    return count;
}

/* 0: it is not there, or several times. */
static uint32_t find_name(const char *line, const char *name)
{
    const char *word;
    size_t length = strpbrk(name, " ,") ? 0 : last_word(name, &word);
    uint32_t column = 0;
    unsigned count = 0;
    if (!length)
        return 0;
    if (is_member(name, word))
        count = count_word(line, word, length, true, &column);
    if (!count)
        count = count_word(line, word, length, false, &column);
    return count == 1 ? column : 0;
}

char *ser_locate_name(const char *location, const char *name)
{
    const char *place = ser_short_location(location);
    uint32_t line, column = 0;
    bool has_line = ser_split_place(place, &line, &column) && !column;
    char *text = has_line ? read_line(place) : NULL, *made = NULL;
    column = text ? find_name(text, name) : 0;
    free(text);
    if (!column)
        return ser_copy_text(place, strlen(place));
    if (asprintf(&made, "%s:%" PRIu32, place, column) < 0)
        ser_out_of_memory(0);
    return made;
}
