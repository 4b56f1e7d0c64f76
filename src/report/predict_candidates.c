/* SPDX-License-Identifier: MIT */
/*
 * Candidates (predict/candidates.h) for people and for programs. Each is shown with which
 * reads have to change: a replay shows whether the program then takes another path.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/output/print.h"
#include "bugs/bugs.h"
#include "report/predict_report.h"

enum { MOST_RECORDED = 10, OPERATION_WIDTH = 320, ID_SIZE = 24 };

/* The same as that of the bug which `run` reports if it is confirmed. */
static void find_id(const ser_predict_report *report, const ser_candidate *candidate,
                    char id[ID_SIZE])
{
    ser_bugs bugs = {0};
    bool is_new;
    ser_bugs_add_predicted(&bugs, report->prediction->run, &candidate->result, 0, &is_new);
    ser_bugs_rank(&bugs);
    snprintf(id, ID_SIZE, "%s", bugs.list.items[0].id);
    ser_bugs_fini(&bugs);
}

void ser_predict_triple_path(const char *folder, uint32_t begin, uint32_t number,
                             char path[SER_PREDICT_PATH_SIZE])
{
    snprintf(path, SER_PREDICT_PATH_SIZE, "%s/block-%" PRIu32 "-triple-%" PRIu32 ".schedule",
             folder, begin, number);
}

void ser_predict_candidate_path(const char *folder, uint32_t begin,
                                char path[SER_PREDICT_PATH_SIZE])
{
    snprintf(path, SER_PREDICT_PATH_SIZE, "%s/candidate-%" PRIu32 ".schedule", folder, begin);
}

/* --- text ---------------------------------------------------------------------- */

/* "  event 12 of teller2, r(x), bank.c:31" */
static void print_read(const ser_run *run, uint32_t read, FILE *file)
{
    const ser_event *event = &run->events[read];
    char operation[OPERATION_WIDTH];
    const char *location = ser_symbols_shown_location(run->symbols, event->site);
    ser_describe_operation(run->symbols, event, operation, sizeof operation);
    ser_print(file, "  event %" PRIu32 " of %s, %s%s%s\n", read,
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, event->thread), operation,
              *location ? ", " : "", location);
}

static void print_candidate(const ser_predict_report *report, const ser_candidate *candidate,
                            size_t number, FILE *file)
{
    const ser_run *run = report->prediction->run;
    ser_print(file, "\nCandidate %zu: ", number);
    ser_predict_print_heading(report, &candidate->result, file);
    ser_print(file, " may not be atomic:\n\n");
    ser_predict_print_path(report, &candidate->result, file);
    ser_print(file, candidate->changed.count
                        ? "  It needs a thread to take the same steps after a different value "
                          "of\n"
                        : "  No thread has to go on after a different value: this is certain.\n");
    for (size_t i = 0; i < candidate->changed.count; i++)
        print_read(run, candidate->changed.items[i], file);
    if (report->verbose) {
        fputc('\n', file);
        ser_predict_print_witness(report, &candidate->result, file);
    }
    if (report->schedules) {
        char path[SER_PREDICT_PATH_SIZE];
        ser_predict_candidate_path(report->schedules,
                                   run->blocks.items[candidate->result.block].begin, path);
        ser_print(file, "  As a schedule: %s\n", path);
    }
}

void ser_predict_print_candidates(const ser_predict_report *report, FILE *file)
{
    const ser_candidate_list *list = report->candidates;
    for (size_t i = 0; i < list->count && (report->verbose || i < MOST_RECORDED); i++)
        print_candidate(report, &list->items[i], i + 1, file);
    fputc('\n', file);
    ser_describe_count(file, list->count, "candidate");
    if (list->count > MOST_RECORDED && !report->verbose)
        ser_print(file, " (--verbose lists all)");
    ser_print(file,
              list->count ? ". They prove nothing: a replay of the program decides.\n" : ".\n");
}

/* --- JSON ------------------------------------------------------------------------- */

static void write_read(const ser_run *run, uint32_t read, ser_json *json)
{
    const ser_event *event = &run->events[read];
    ser_json_open_object(json);
    ser_json_number_at(json, "event", read);
    ser_describe_name_json(json, "thread", run->symbols, SER_SPACE_THREAD, event->thread);
    ser_describe_name_json(json, "variable", run->symbols, SER_SPACE_VARIABLE, event->object);
    ser_describe_location_json(json, "location", run->symbols, event->site);
    ser_json_close_object(json);
}

static void write_schedule_path(const ser_predict_report *report, uint32_t begin, ser_json *json)
{
    char path[SER_PREDICT_PATH_SIZE];
    ser_json_key(json, "schedule");
    if (!report->schedules) {
        ser_json_null(json);
        return;
    }
    ser_predict_candidate_path(report->schedules, begin, path);
    ser_json_text(json, path);
}

static void write_candidate(const ser_predict_report *report, const ser_candidate *candidate,
                            ser_json *json)
{
    const ser_run *run = report->prediction->run;
    char id[ID_SIZE];
    find_id(report, candidate, id);
    ser_json_open_object(json);
    ser_json_text_at(json, "id", id);
    ser_predict_write_block(report, json, &candidate->result);
    ser_json_text_at(json, "model", ser_model_name(candidate->result.model));
    ser_json_key(json, "changed");
    ser_json_open_array(json);
    for (size_t i = 0; i < candidate->changed.count; i++)
        write_read(run, candidate->changed.items[i], json);
    ser_json_close_array(json);
    ser_predict_write_witness(json, report, &candidate->result);
    write_schedule_path(report, run->blocks.items[candidate->result.block].begin, json);
    ser_json_close_object(json);
}

void ser_predict_write_candidates(const ser_predict_report *report, ser_json *json)
{
    ser_json_key(json, "candidates");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->candidates->count; i++)
        write_candidate(report, &report->candidates->items[i], json);
    ser_json_close_array(json);
}
