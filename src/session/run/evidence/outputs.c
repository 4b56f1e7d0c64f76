/* SPDX-License-Identifier: MIT */
#include "session/run/evidence/outputs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { LINE_SIZE = 1024, SHOWN_BEGIN = 44, SHOWN_END = 52 };

static bool next_line(FILE *file, char line[LINE_SIZE])
{
    if (!file || !fgets(line, LINE_SIZE, file)) {
        *line = '\0';
        return false;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

/* An empty line says nothing about what is missing. */
static bool next_words(FILE *file, char line[LINE_SIZE])
{
    bool found;
    do
        found = next_line(file, line);
    while (found && line[strspn(line, " \t")] == '\0');
    return found;
}

/* Not between the bytes of one character. */
static size_t find_start(const char *line, size_t at)
{
    while (at > 0 && ((unsigned char)line[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* A long line by its beginning and its end: there an assertion says what failed. */
static void shorten(char line[LINE_SIZE])
{
    static const char gap[] = " ... ";
    size_t length = strlen(line);
    if (length <= SHOWN_BEGIN + SHOWN_END + sizeof gap)
        return;
    size_t begin = find_start(line, SHOWN_BEGIN), end = find_start(line, length - SHOWN_END);
    memcpy(line + begin, gap, sizeof gap - 1);
    memmove(line + begin + sizeof gap - 1, line + end, length - end + 1);
}

void ser_compare_outputs(const char *before, const char *after, char *text, size_t size)
{
    FILE *first = fopen(before, "r"), *second = fopen(after, "r");
    char expected[LINE_SIZE], seen[LINE_SIZE];
    bool more = true;
    size_t length = strlen(text);
    while (more) {
        bool has = next_words(first, expected), has_too = next_words(second, seen);
        more = has || has_too;
        bool is_same = has && has_too && strcmp(expected, seen) == 0;
        if (!is_same) {
            shorten(expected);
            shorten(seen);
        }
        if (has && has_too && !is_same)
            snprintf(text + length, size - length, "; it prints \"%s\" instead of \"%s\"", seen,
                     expected);
        else if (has && !has_too)
            snprintf(text + length, size - length, "; it no longer prints \"%s\"", expected);
        else if (!has && has_too)
            snprintf(text + length, size - length, "; it also prints \"%s\"", seen);
        else
            continue;
        break;
    }
    if (first)
        fclose(first);
    if (second)
        fclose(second);
}

char *ser_last_line(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[LINE_SIZE], last[LINE_SIZE] = "";
    while (next_words(file, line))
        memcpy(last, line, sizeof last);
    if (file)
        fclose(file);
    shorten(last);
    return *last ? ser_copy_text(last, strlen(last)) : NULL;
}

bool ser_sum_lines(const char *path, uint64_t *sum)
{
    FILE *file = fopen(path, "r");
    char line[LINE_SIZE];
    *sum = 0;
    if (!file)
        return false;
    while (next_line(file, line)) {
        uint64_t hash = 1;
        for (const char *at = line; *at; at++)
            hash = ser_hash_mix(hash, (unsigned char)*at);
        *sum += hash;
    }
    fclose(file);
    return true;
}

/* The same for words, which may be in other lines. */
static bool sum_words(const char *path, uint64_t *sum)
{
    FILE *file = fopen(path, "r");
    uint64_t hash = 0;
    int byte;
    *sum = 0;
    if (!file)
        return false;
    do {
        byte = fgetc(file);
        bool ends = byte == EOF || isspace(byte);
        *sum += ends ? hash : 0;
        hash = ends ? 0 : ser_hash_mix(hash + 1, (unsigned char)byte);
    } while (byte != EOF);
    fclose(file);
    return true;
}

bool ser_have_same_words(const char *before, const char *after)
{
    uint64_t first, second;
    return sum_words(before, &first) && sum_words(after, &second) && first == second;
}

bool ser_have_same_lines(const char *before, const char *after)
{
    uint64_t first, second;
    return ser_sum_lines(before, &first) && ser_sum_lines(after, &second) && first == second;
}
