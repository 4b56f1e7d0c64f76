/* SPDX-License-Identifier: MIT */
#include "session/run/evidence/spares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/run/evidence/evidence.h"

enum { MOST_SPARES = 4 }; /* of one bug */

static size_t count_spares(const ser_run_report *report, const ser_bug *bug)
{
    size_t count = 0;
    for (size_t i = 0; i < report->spares.list.count; i++)
        count += strcmp(report->spares.list.items[i].key, bug->key) == 0;
    return count;
}

bool ser_wants_spare(const ser_run_report *report, const ser_bug *bug)
{
    const ser_run_trace *last = &report->traces.items[report->traces.count - 1];
    return bug->is_careful && !bug->was_felt && bug->intention != SER_INTENTION_LOCKED &&
           last->prints_news && &report->traces.items[bug->trace] != last &&
           count_spares(report, bug) < MOST_SPARES;
}

void ser_spares_add(ser_run_report *report, ser_bug *spare)
{
    ser_vector_push(&report->spares.list, *spare);
    report->replaced++; /* so that its trace stays */
}

static void drop(ser_bug *spare)
{
    if (spare->schedule)
        unlink(spare->schedule);
    ser_bug_fini(spare);
}

/* The schedule keeps the name that the report gives it. */
static void swap_in(ser_bug *bug, ser_bug *spare)
{
    if (spare->schedule && bug->schedule && rename(spare->schedule, bug->schedule) == 0) {
        free(spare->schedule);
        spare->schedule = bug->schedule;
        bug->schedule = NULL;
    }
    spare->blocks = bug->blocks;
    spare->is_careful = bug->is_careful;
    ser_bug_fini(bug);
    *bug = *spare;
}

static ser_bug *find_shown_as_usual(ser_run_report *report, const ser_bug *spare)
{
    for (size_t i = 0; i < report->bugs.list.count; i++) {
        ser_bug *bug = &report->bugs.list.items[i];
        if (bug->is_careful && !bug->was_felt && strcmp(bug->key, spare->key) == 0 &&
            ser_is_usual_run(report, bug->trace))
            return bug;
    }
    return NULL;
}

void ser_spares_choose(ser_run_report *report)
{
    for (size_t i = 0; i < report->spares.list.count; i++) {
        ser_bug *spare = &report->spares.list.items[i];
        bool is_usual = ser_is_usual_run(report, spare->trace);
        ser_bug *bug = is_usual ? NULL : find_shown_as_usual(report, spare);
        if (bug)
            swap_in(bug, spare);
        else
            drop(spare);
    }
    report->spares.list.count = 0;
}
