/* SPDX-License-Identifier: MIT */
/*
 * models - writes the runs of the benchmark programs (models.h).
 *
 *     models --list           the names
 *     models --paper          for each name, what the papers report: segment (percent),
 *                             settled by the static check, none, violations
 *     models --check DIR      writes all runs to DIR/NAME.std and compares their figures
 *                             with the wanted ones; exits 1 if there is a difference
 *     models --measure FILE   the figures of any trace, in the order of Table A1, and its
 *                             coupling: edges between threads an event
 *     models NAME FILE        writes one run, as text, or natively to a name in .srt
 */
#include <stdio.h>

#include "run_file.h"

static ser_writer_format format_of(const char *path)
{
    size_t length = strlen(path);
    bool native = length > 4 && strcmp(path + length - 4, ".srt") == 0;
    return native ? SER_WRITE_NATIVE : SER_WRITE_TEXT;
}

static int fail(const ser_error *error)
{
    fprintf(stderr, "models: %s\n", error->text);
    return (int)error->status;
}

static int write_one(const char *name, const char *path)
{
    const model *found = find_model(name);
    if (!found) {
        fprintf(stderr, "models: there is no model %s; see models --list\n", name);
        return SER_USAGE;
    }
    ser_error error;
    if (write_run(found, format_of(path), path, &error) != SER_OK)
        return fail(&error);
    return SER_OK;
}

static int list(void)
{
    for (size_t i = 0; i < model_count; i++)
        puts(models[i].name);
    return SER_OK;
}

static int list_paper(void)
{
    for (size_t i = 0; i < model_count; i++) {
        const paper_results *paper = &models[i].paper;
        printf("%s %.2f %u %u %u\n", models[i].name, paper->segment, paper->settled, paper->none,
               paper->violations);
    }
    return SER_OK;
}

/* A column of the comparison: found, and how much more or less than wanted. */
static bool print_column(uint32_t found, uint32_t wanted)
{
    char text[32] = "";
    if (found != wanted)
        snprintf(text, sizeof text, "%+lld", (long long)found - (long long)wanted);
    printf(" %6u%-4s", found, text);
    return found == wanted;
}

static bool print_comparison(const model *m, const figures *found, double coupling)
{
    const figures *wanted = &m->wanted;
    printf("%-14s", m->name);
    bool same = true;
    same &= print_column(found->threads, wanted->threads);
    same &= print_column(found->events, wanted->events);
    same &= print_column(found->lock_events, wanted->lock_events);
    same &= print_column(found->locks, wanted->locks);
    same &= print_column(found->accesses, wanted->accesses);
    same &= print_column(found->variables, wanted->variables);
    same &= print_column(found->waits_notifies, wanted->waits_notifies);
    same &= print_column(found->blocks, wanted->blocks);
    printf(" %8.2f\n", coupling);
    return same;
}

static int check(const char *folder)
{
    static const char *const columns[] = {"threads",  "events",    "lockev",  "locks",
                                          "accesses", "variables", "waitnot", "blocks"};
    printf("%-14s", "model");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        printf(" %10s", columns[i]);
    printf(" %8s\n", "coupling");
    bool same = true;
    for (size_t i = 0; i < model_count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.std", folder, models[i].name);
        ser_error error;
        figures found;
        double coupling;
        if (write_run(&models[i], SER_WRITE_TEXT, path, &error) != SER_OK ||
            measure_run(path, &found, &coupling, &error) != SER_OK)
            return fail(&error);
        same &= print_comparison(&models[i], &found, coupling);
    }
    printf("figures of the runs, and what they differ by from the wanted ones: %s\n",
           same ? "nothing" : "see above");
    return same ? SER_OK : 1;
}

static int measure(const char *path)
{
    ser_error error;
    figures found;
    double coupling;
    if (measure_run(path, &found, &coupling, &error) != SER_OK)
        return fail(&error);
    printf("%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%.3f\n", found.threads, found.events, found.lock_events,
           found.locks, found.accesses, found.variables, found.waits_notifies, found.blocks,
           coupling);
    return SER_OK;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    if (argc == 2 && strcmp(argv[1], "--paper") == 0)
        return list_paper();
    if (argc == 3 && strcmp(argv[1], "--check") == 0)
        return check(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--measure") == 0)
        return measure(argv[2]);
    if (argc == 3 && argv[1][0] != '-')
        return write_one(argv[1], argv[2]);
    fprintf(stderr, "usage: models --list | --paper | --check DIR | --measure FILE | NAME FILE\n");
    return SER_USAGE;
}
