/* SPDX-License-Identifier: MIT */
#include "trial_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prepare.h"

static bool parse_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

/* "2-6" */
static bool parse_range(const char *text, uint32_t *low, uint32_t *high)
{
    char *middle, *end;
    *low = (uint32_t)strtoul(text, &middle, 10);
    if (middle == text || *middle != '-')
        return false;
    *high = (uint32_t)strtoul(middle + 1, &end, 10);
    return end != middle + 1 && *end == '\0' && *low > 0 && *low <= *high;
}

static bool parse_profile(const char *text, trace_limits *limits, bool *any)
{
    for (int i = 0; i < PROFILE_COUNT; i++) {
        if (strcmp(text, trace_profile_names[i]) == 0) {
            limits->profile = (trace_profile)i;
            *any = false;
            return true;
        }
    }
    return false;
}

bool parse_trial_option(trial_options *options, trace_limits *limits, bool *any_profile,
                        const char *name, const char *value, int *used)
{
    *used = 1;
    if (strcmp(name, "--self-test") == 0)
        return options->self_test = true;
    *used = 2;
    if (!value)
        return false;
    if (strcmp(name, "--seed") == 0)
        return parse_number(value, &options->seed);
    if (strcmp(name, "--count") == 0)
        return parse_number(value, &options->count);
    if (strcmp(name, "--keep") == 0)
        return (options->keep = value);
    if (strcmp(name, "--profile") == 0)
        return parse_profile(value, limits, any_profile);
    if (strcmp(name, "--threads") == 0)
        return parse_range(value, &limits->threads_low, &limits->threads_high) &&
               limits->threads_high <= trace_most_names;
    if (strcmp(name, "--events") == 0)
        return parse_range(value, &limits->events_low, &limits->events_high);
    return false;
}

int refuse_option(const char *oracle, const char *option)
{
    fprintf(stderr, "%s: wrong or incomplete option %s\n", oracle, option);
    return 2;
}

void keep_trace(const trial_options *options, const char *oracle, uint64_t seed, const char *what,
                const event_list *raw)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%" PRIu64 "-%s.std", options->keep, oracle, seed, what);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return;
    }
    print_trace(file, raw);
    fclose(file);
    printf("kept as %s\n", path);
}

void show_progress(time_t *next, uint64_t done, uint64_t count)
{
    time_t now = time(NULL);
    if (now < *next)
        return;
    if (*next)
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " traces\n", done, count);
    *next = now + 10;
}
