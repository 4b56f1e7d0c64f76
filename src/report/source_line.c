/* SPDX-License-Identifier: MIT */
#include "report/source_line.h"

#include <ctype.h>
#include <fcntl.h>
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
    if (!*folder && getcwd(folder, PATH_MAX))
        strcat(folder, folder[1] ? "/" : "");
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

char *ser_source_line(const char *location)
{
    uint32_t wanted = 0;
    location = ser_short_location(location);
    int length = ser_split_location(location, &wanted);
    if (length == 0 || wanted == 0)
        return NULL;
    char *path = ser_copy_text(location, (size_t)length);
    FILE *file = ser_open_source(path);
    free(path);
    if (!file)
        return NULL;
    char *line = NULL, *found = NULL;
    size_t size = 0;
    ssize_t got;
    for (uint32_t number = 1; (got = getline(&line, &size, file)) >= 0 && number <= wanted;
         number++)
        if (number == wanted)
            found = trim(line, (size_t)got);
    free(line);
    fclose(file);
    return found;
}
