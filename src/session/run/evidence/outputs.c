/* SPDX-License-Identifier: MIT */
#include "session/run/evidence/outputs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

enum { LINE_SIZE = 160 };

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

void ser_compare_outputs(const char *before, const char *after, char *text, size_t size)
{
    FILE *first = fopen(before, "r"), *second = fopen(after, "r");
    char expected[LINE_SIZE], seen[LINE_SIZE];
    bool more = true;
    size_t length = strlen(text);
    while (more) {
        bool has = next_words(first, expected), has_too = next_words(second, seen);
        more = has || has_too;
        if (has && has_too && strcmp(expected, seen) != 0)
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
