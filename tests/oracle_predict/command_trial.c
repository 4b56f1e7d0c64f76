/* SPDX-License-Identifier: MIT */
/*
 * The program itself, from outside: the trace goes in as a file, the answers come back
 * as JSON and exit status. Engine and options depend on the seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prepare.h"
#include "random.h"
#include "sample.h"

const char *command_path;

enum { MOST_OUTPUT = 1 << 16 };

typedef struct reply {
    char line[1024]; /* the command */
    char output[MOST_OUTPUT];
    int criterion;
    int status; /* of its exit; -1: none */
} reply;

static const char *choose(random_source *random, const char *option)
{
    return random_chance(random, 50) ? option : "";
}

static void write_command(reply *r, const sample *s, const char *path)
{
    static const char *const engines[] = {"auto",
#define SER_X(name, help) #name,
                                          SER_SEARCH_ENGINES(SER_X)
#undef SER_X
    };
    const uint32_t count = sizeof engines / sizeof *engines;
    random_source random = {s->seed ^ UINT64_C(0x636f6d6d616e64)};
    r->criterion = (int)random_below(&random, CRITERIA);
    snprintf(r->line, sizeof r->line,
             "'%s' predict --json - --jobs 1 --atomic %s --engine %s --criterion %s%s%s%s%s '%s'",
             command_path, s->atomic, engines[random_below(&random, count)],
             criterion_names[r->criterion], choose(&random, " --no-segment"),
             choose(&random, " --no-static"), choose(&random, " --no-minimise"),
             choose(&random, " --projection always"), path);
}

static bool run_command(reply *r)
{
    FILE *pipe = popen(r->line, "r");
    if (!pipe)
        return false;
    size_t length = fread(r->output, 1, sizeof r->output - 1, pipe);
    r->output[length] = '\0';
    int status = pclose(pipe);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return true;
}

static bool ask(reply *r, const sample *s)
{
    char path[] = "/tmp/predict-oracle-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return false;
    fputs("# a file without any byte would be an error\n", file);
    print_trace(file, &s->events);
    fclose(file);
    write_command(r, s, path);
    bool good = run_command(r);
    unlink(path);
    return good;
}

/* What stands after a key; NULL if there is no such key. */
static const char *find_value(const char *text, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = text ? strstr(text, quoted) : NULL;
    return found ? found + strlen(quoted) + strspn(found + strlen(quoted), " \n[") : NULL;
}

static void read_numbers(const char *text, avp_order *order)
{
    order->count = 0;
    while (text && *text != ']' && order->count < AVP_MOST_EVENTS) {
        char *end;
        order->events[order->count++] = (uint32_t)strtoul(text, &end, 10);
        if (end == text)
            return;
        text = end + strspn(end, ", \n");
    }
}

static bool starts_with(const char *text, const char *word)
{
    return text && strncmp(text, word, strlen(word)) == 0;
}

/* The block of the sample at that place of the output; moves on to the next place. */
static bool block_differs(const reply *r, const char **at, const sample *s, size_t index,
                          difference *found)
{
    const char *begin = find_value(*at, "begin"), *verdict = find_value(begin, "verdict");
    bool violated = s->blocks[index].answer[r->criterion] == AVP_VIOLATION;
    *at = verdict;
    if (!begin || strtoul(begin, NULL, 10) != s->world.blocks[index].begin)
        return differ(found, "block %zu is not where it should be", index);
    if (!starts_with(verdict, "\"violation\"")) {
        bool none = starts_with(verdict, "\"none\"") || starts_with(verdict, "\"static\"");
        return (violated || !none) && differ(found, "a violation is missed");
    }
    avp_order order;
    read_numbers(find_value(verdict, "order"), &order);
    return !is_witness(s, index, r->criterion, order.events, order.count, found);
}

static bool reply_differs(const reply *r, const sample *s, difference *found)
{
    const char *at = find_value(r->output, "blocks");
    at = find_value(at, "blocks"); /* the first one counts them */
    bool any = false;
    for (size_t i = 0; i < s->world.block_count; i++) {
        any |= s->blocks[i].answer[r->criterion] == AVP_VIOLATION;
        if (block_differs(r, &at, s, i, found))
            return true;
    }
    return r->status != any && differ(found, "the exit status is %d", r->status);
}

static bool fail_command(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (!command_path)
        return false;
    reply *r = ser_alloc(1, sizeof *r);
    bool differs = ask(r, s) ? reply_differs(r, s, found) : differ(found, "it does not run");
    if (differs) {
        char reason[512];
        snprintf(reason, sizeof reason, "%.500s", found->text);
        differ(found, "%s\n%s\n%.1500s\n", r->line, reason, r->output);
    }
    free(r);
    return differs;
}

const trial trial_command = {"command", fail_command, NULL, false};
