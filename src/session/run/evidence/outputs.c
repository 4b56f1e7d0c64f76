/* SPDX-License-Identifier: MIT */
#include "session/run/evidence/outputs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vector.h"

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

/* The lines of a file that are the same but for their digits, in whatever order. */
typedef struct line_kind {
    uint64_t kind, sum, lines;
} line_kind;

typedef SER_VECTOR(line_kind) line_kinds;

static line_kind *find_kind(const line_kinds *kinds, uint64_t kind)
{
    for (size_t i = 0; i < kinds->count; i++)
        if (kinds->items[i].kind == kind)
            return &kinds->items[i];
    return NULL;
}

static line_kind kind_of(const line_kinds *kinds, uint64_t kind)
{
    const line_kind *found = find_kind(kinds, kind);
    return found ? *found : (line_kind){.kind = kind};
}

static void add_line(line_kinds *kinds, const char *line)
{
    uint64_t kind = 1, text = 1;
    for (const char *at = line; *at; at++) {
        bool is_digit = isdigit((unsigned char)*at),
             is_next = at > line && isdigit((unsigned char)at[-1]);
        text = ser_hash_mix(text, (unsigned char)*at);
        if (!is_digit || !is_next)
            kind = ser_hash_mix(kind, is_digit ? '0' : (unsigned char)*at);
    }
    line_kind *known = find_kind(kinds, kind);
    if (!known) {
        ser_vector_push(kinds, (line_kind){.kind = kind});
        known = &kinds->items[kinds->count - 1];
    }
    known->sum += text;
    known->lines++;
}

static line_kinds read_kinds(const char *path)
{
    enum { MOST_KINDS = 1000 };
    FILE *file = fopen(path, "r");
    line_kinds kinds = {0};
    char line[LINE_SIZE];
    while (kinds.count < MOST_KINDS && next_line(file, line))
        add_line(&kinds, line);
    if (file)
        fclose(file);
    return kinds;
}

enum { ENOUGH_FOR_NUMBERS = 6 }; /* outputs; fewer do not show how many lines there may be */

/* Are these lines, where there are any, others in each usual output, and does one have so many? */
static bool is_unsteady(const line_kinds *usual, size_t count, const line_kind *seen)
{
    bool has_so_many = count < ENOUGH_FOR_NUMBERS;
    size_t outputs = 0;
    for (size_t i = 0; i < count; i++) {
        const line_kind one = kind_of(&usual[i], seen->kind);
        has_so_many |= one.lines == seen->lines;
        outputs += one.lines > 0;
        for (size_t j = 0; j < i && one.lines > 0; j++)
            if (kind_of(&usual[j], seen->kind).sum == one.sum)
                return false;
    }
    return has_so_many && outputs > 1;
}

/* Of the kinds of either, what `after` has of them. */
static bool differs_steadily(const line_kinds *kinds, const line_kinds *before,
                             const line_kinds *after, const line_kinds *usual, size_t count)
{
    for (size_t i = 0; i < kinds->count; i++) {
        const line_kind seen = kind_of(after, kinds->items[i].kind);
        if (seen.sum != kind_of(before, seen.kind).sum && !is_unsteady(usual, count, &seen))
            return true;
    }
    return false;
}

bool ser_differ_unsteadily(const char *const *usual, size_t count, const char *before,
                           const char *after)
{
    line_kinds first = read_kinds(before), second = read_kinds(after);
    line_kinds *all = ser_alloc(count + 1, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = read_kinds(usual[i]);
    bool unsteadily = !differs_steadily(&first, &first, &second, all, count) &&
                      !differs_steadily(&second, &first, &second, all, count);
    for (size_t i = 0; i < count; i++)
        ser_vector_free(&all[i]);
    free(all);
    ser_vector_free(&first);
    ser_vector_free(&second);
    return unsteadily;
}
