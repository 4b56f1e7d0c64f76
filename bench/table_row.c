/* SPDX-License-Identifier: MIT */
/*
 * table_row FILE: what the result of `seriatim predict --json FILE` amounts to, as one
 * line of fields with tabs between them, for bench/tables:
 *
 *     average segment, static, none, violations, out of time, out of memory, otherwise
 *     undecided, explored, constraints, slowest block, its seconds, undecided blocks
 *
 * A block is named by its begin event. The average is over the blocks that have a segment,
 * that is, accesses.
 *
 * The file is scanned, not understood: an object's keys may come in any order, and keys
 * that are not known are passed over.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

enum { MOST_DEPTH = 16, MOST_TEXT = 64 };

typedef struct block_fields {
    unsigned long long begin, segment, explored, constraints;
    double seconds;
    char verdict[MOST_TEXT], reason[MOST_TEXT];
} block_fields;

typedef struct undecided_block {
    unsigned long long begin;
    char reason[MOST_TEXT];
} undecided_block;

typedef struct sums {
    unsigned long long settled, none, violations, out_of_time, out_of_memory, otherwise;
    unsigned long long segments, segment_events, explored, constraints, slowest;
    double most_seconds;
    SER_VECTOR(undecided_block) undecided;
} sums;

typedef struct scanner {
    const char *at;
    int depth;                        /* of arrays and objects around */
    char keys[MOST_DEPTH][MOST_TEXT]; /* the key each of them is the value of */
    block_fields block;
    sums sums;
} scanner;

static void fail(const char *why)
{
    fprintf(stderr, "table_row: %s\n", why);
    exit(3);
}

/* --- what is in the blocks ------------------------------------------------------ */

/* A block without a segment was never begun: the budget of the whole command was used up. */
static void count_undecided(sums *s, const block_fields *block)
{
    bool begun = block->segment > 0;
    if (begun && strcmp(block->reason, "time") == 0)
        s->out_of_time++;
    else if (begun && strcmp(block->reason, "memory") == 0)
        s->out_of_memory++;
    else
        s->otherwise++;
    undecided_block undecided = {.begin = block->begin};
    memcpy(undecided.reason, block->reason, sizeof undecided.reason);
    ser_vector_push(&s->undecided, undecided);
}

static void count_block(sums *s, const block_fields *block)
{
    if (strcmp(block->verdict, "static") == 0)
        s->settled++;
    else if (strcmp(block->verdict, "none") == 0)
        s->none++;
    else if (strcmp(block->verdict, "violation") == 0)
        s->violations++;
    else
        count_undecided(s, block);
    s->segments += block->segment > 0;
    s->segment_events += block->segment;
    s->explored += block->explored;
    s->constraints += block->constraints;
    if (block->seconds >= s->most_seconds) {
        s->most_seconds = block->seconds;
        s->slowest = block->begin;
    }
}

static void take_field(block_fields *block, const char *key, const char *text)
{
    if (strcmp(key, "begin") == 0)
        block->begin = strtoull(text, NULL, 10);
    else if (strcmp(key, "segment") == 0)
        block->segment = strtoull(text, NULL, 10);
    else if (strcmp(key, "explored") == 0)
        block->explored = strtoull(text, NULL, 10);
    else if (strcmp(key, "constraints") == 0)
        block->constraints = strtoull(text, NULL, 10);
    else if (strcmp(key, "seconds") == 0)
        block->seconds = strtod(text, NULL);
    else if (strcmp(key, "verdict") == 0)
        snprintf(block->verdict, sizeof block->verdict, "%s", text);
    else if (strcmp(key, "reason") == 0)
        snprintf(block->reason, sizeof block->reason, "%s", text);
}

/* --- JSON ------------------------------------------------------------------------ */

static void skip_space(scanner *s)
{
    s->at += strspn(s->at, " \t\r\n");
}

static void expect(scanner *s, char wanted)
{
    skip_space(s);
    if (*s->at++ != wanted)
        fail("the file is not as expected");
}

/* The text is cut if it is long; escapes stay as they are. */
static void scan_text(scanner *s, char *text)
{
    size_t length = 0;
    expect(s, '"');
    while (*s->at && *s->at != '"') {
        if (*s->at == '\\' && s->at[1])
            s->at++;
        if (length + 1 < MOST_TEXT)
            text[length++] = *s->at;
        s->at++;
    }
    text[length] = '\0';
    expect(s, '"');
}

/* A number, true, false or null. */
static void scan_word(scanner *s, char *text)
{
    size_t length = strcspn(s->at, ",]} \t\r\n");
    snprintf(text, MOST_TEXT, "%.*s", (int)length, s->at);
    s->at += length;
}

/* Are we in an object of the array "blocks", which is in the outermost object? */
static bool is_in_block(const scanner *s)
{
    return s->depth == 3 && strcmp(s->keys[1], "blocks") == 0;
}

static void scan_value(scanner *s, const char *key);

static void scan_members(scanner *s, char close)
{
    skip_space(s);
    while (*s->at && *s->at != close) {
        char key[MOST_TEXT] = "";
        if (close == '}') {
            scan_text(s, key);
            expect(s, ':');
        }
        scan_value(s, key);
        skip_space(s);
        if (*s->at == ',')
            s->at++;
        skip_space(s);
    }
    expect(s, close);
}

static void scan_group(scanner *s, const char *key)
{
    if (s->depth == MOST_DEPTH)
        fail("the file is nested too deeply");
    memcpy(s->keys[s->depth++], key, MOST_TEXT);
    bool is_block = is_in_block(s);
    if (is_block)
        s->block = (block_fields){0};
    scan_members(s, *s->at++ == '{' ? '}' : ']');
    if (is_block)
        count_block(&s->sums, &s->block);
    s->depth--;
}

static void scan_value(scanner *s, const char *key)
{
    char text[MOST_TEXT];
    skip_space(s);
    if (*s->at == '{' || *s->at == '[') {
        scan_group(s, key);
        return;
    }
    if (*s->at == '"')
        scan_text(s, text);
    else
        scan_word(s, text);
    if (is_in_block(s))
        take_field(&s->block, key, text);
}

static void print_row(const sums *s)
{
    double average = s->segments ? (double)s->segment_events / (double)s->segments : 0;
    printf("%.1f\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.3f\t", average,
           s->settled, s->none, s->violations, s->out_of_time, s->out_of_memory, s->otherwise,
           s->explored, s->constraints, s->slowest, s->most_seconds);
    for (size_t i = 0; i < s->undecided.count; i++)
        printf("%s%llu:%s", i ? "," : "", s->undecided.items[i].begin,
               s->undecided.items[i].reason);
    printf("%s\n", s->undecided.count ? "" : "-");
}

static char *read_file(const char *path)
{
    SER_VECTOR(char) text = {0};
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot open the file");
    for (int c = getc(file); c != EOF; c = getc(file))
        ser_vector_push(&text, (char)c);
    fclose(file);
    ser_vector_push(&text, '\0');
    return text.items;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: table_row FILE\n");
        return 2;
    }
    char *text = read_file(argv[1]), no_key[MOST_TEXT] = "";
    scanner s = {.at = text};
    scan_value(&s, no_key);
    print_row(&s.sums);
    ser_vector_free(&s.sums.undecided);
    free(text);
    return 0;
}
