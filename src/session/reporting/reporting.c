/* SPDX-License-Identifier: MIT */
/*
 * Results of runs that are there already. If part of them is missing, such as a trace that was
 * removed, the report has less to show, but there is one.
 */
#include "session/reporting/reporting.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/log.h"
#include "session/reporting/result_files.h"
#include "session/schedules.h"

ser_status ser_reporting_load(ser_reporting *work, const char *path, const ser_reading *reading,
                              ser_loaded **loaded, ser_error *error)
{
    for (size_t i = 0; i < work->traces.count; i++) {
        *loaded = &work->traces.items[i]->loaded;
        if (strcmp(work->traces.items[i]->path, path) == 0)
            return SER_OK;
    }
    ser_reporting_trace *made = ser_alloc(1, sizeof *made);
    made->path = ser_copy_text(path, strlen(path));
    ser_vector_push(&work->traces, made);
    const ser_source_settings settings = {.verb = "read", .path = made->path, .reading = *reading};
    *loaded = &made->loaded;
    ser_status status = ser_loaded_make(&made->loaded, &settings, error);
    if (status == SER_OK)
        return status;
    ser_loaded_close(&made->loaded);
    free(made->path);
    free(made);
    work->traces.count--;
    return status;
}

static ser_status read_schedule(const char *path, ser_schedule *schedule, ser_error *error)
{
    ser_input *input;
    ser_status status = ser_input_open(&input, path, false, error);
    if (status != SER_OK)
        return status;
    status = ser_schedule_read(schedule, input, error);
    ser_input_close(input);
    return status;
}

static ser_status draw(ser_reporting *work, size_t entry, const ser_run *run, const char *path,
                       ser_error *error)
{
    ser_schedule schedule = {0};
    ser_event_list order = {0};
    ser_status status = read_schedule(path, &schedule, error);
    if (status == SER_OK)
        status = ser_expand_schedule(&schedule, run, &order, error);
    const ser_dossier_witness witness = {
        .block = schedule.block,
        .order = &order,
        .path = schedule.path.items,
        .path_count = schedule.path.count,
        .changed = schedule.broken.items,
        .changed_count = schedule.broken.count,
    };
    if (status == SER_OK)
        status = ser_dossier_draw(&work->dossier, entry, run, &witness, error);
    ser_vector_free(&order);
    ser_schedule_fini(&schedule);
    return status;
}

/* The run that failed, as it was recorded. */
static ser_status draw_failure(ser_reporting *work, size_t entry, const ser_run *run,
                               ser_error *error)
{
    ser_event_list order = {0};
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_takes_part((ser_op)run->events[i].op))
            ser_vector_push(&order, i);
    const ser_dossier_witness witness = {.order = &order};
    ser_status status = ser_dossier_draw(&work->dossier, entry, run, &witness, error);
    ser_vector_free(&order);
    return status;
}

bool ser_reporting_may_draw(ser_reporting *work)
{
    const double moment = 0.5; /* seconds */
    if (!ser_should_stop() && !ser_was_interrupted())
        return true;
    if (work->drawing_ends == 0)
        work->drawing_ends = ser_clock_now() + moment;
    return ser_clock_now() < work->drawing_ends;
}

/* Only what has a trace, and a schedule and block where it is a violation, has a picture. */
static void illustrate(ser_reporting *work, size_t index, const char *folder,
                       const ser_reading *reading)
{
    const ser_entry *entry = &work->dossier.entries.items[index];
    ser_error error = {0};
    ser_loaded *loaded;
    bool is_failure = entry->failure && !entry->schedule;
    if (!entry->trace)
        return;
    char *trace = ser_result_find_file(folder, entry->trace);
    char *schedule = entry->schedule ? ser_result_find_file(folder, entry->schedule) : NULL;
    if (!ser_is_same_file(entry->trace, trace))
        ser_dossier_place_files(&work->dossier, index, trace, schedule);
    if ((is_failure || (schedule && entry->block)) && ser_reporting_may_draw(work)) {
        ser_status status = ser_reporting_load(work, trace, reading, &loaded, &error);
        if (status == SER_OK)
            status = is_failure ? draw_failure(work, index, loaded->run, &error)
                                : draw(work, index, loaded->run, schedule, &error);
        if (status != SER_OK)
            ser_warning("%s is reported without its interleaving: %s", entry->id, error.text);
    }
    free(trace);
    free(schedule);
}

/* The parts of what `seriatim merge` has made. */
static ser_status add_parts(ser_reporting *work, const char *folder, const ser_json_node *parts,
                            ser_error *error)
{
    ser_status status = SER_OK;
    for (const ser_json_node *part = ser_json_first(parts); status == SER_OK && part;
         part = part->next) {
        char *path = ser_should_stop() ? NULL : ser_result_part(folder, part);
        if (path)
            status = ser_reporting_add(work, path, error);
        free(path);
    }
    return status;
}

static ser_status add_tree(ser_reporting *work, const char *folder, const char *path,
                           ser_json_tree *tree, ser_error *error)
{
    size_t first = work->dossier.entries.count;
    ser_status status = ser_dossier_add(&work->dossier, tree, error);
    if (status != SER_OK) {
        ser_error_prefix(error, "%s", path);
        return status;
    }
    if (work->options.only)
        ser_dossier_keep_only(&work->dossier, work->options.only);
    const char *atomic = ser_json_text_in(ser_json_root(tree), "atomic");
    const ser_reading reading = {.atomic = atomic ? atomic : "auto",
                                 .lenient = work->options.reading.lenient};
    for (size_t i = first; i < work->dossier.entries.count; i++)
        illustrate(work, i, folder, &reading);
    return SER_OK;
}

static ser_status add_result(ser_reporting *work, const char *folder, const char *path,
                             ser_error *error)
{
    ser_json_tree *tree;
    ser_status status = ser_json_tree_load(&tree, path, error);
    if (status != SER_OK)
        return status;
    const ser_json_node *parts = ser_json_member(ser_json_root(tree), "results");
    if (!parts)
        return add_tree(work, folder, path, tree, error);
    status = add_parts(work, folder, parts, error);
    ser_json_tree_destroy(tree);
    return status;
}

ser_status ser_reporting_add(ser_reporting *work, const char *path, ser_error *error)
{
    struct stat about;
    bool is_folder = strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    if (!is_folder && (strcmp(path, "-") == 0 || !ser_is_json_name(path)))
        return ser_reporting_analyse(work, path, error);
    char *result = ser_result_path(path), *folder = ser_folder_of(result);
    ser_status status = is_folder ? ser_result_expect(path, error) : SER_OK;
    if (status == SER_OK)
        status = add_result(work, folder, result, error);
    free(result);
    free(folder);
    return status;
}

void ser_reporting_finish(ser_reporting *work)
{
    ser_dossier_unite(&work->dossier);
    ser_dossier_finish(&work->dossier);
}

void ser_reporting_fini(ser_reporting *work)
{
    ser_dossier_fini(&work->dossier);
    for (size_t i = 0; i < work->traces.count; i++) {
        ser_loaded_close(&work->traces.items[i]->loaded);
        free(work->traces.items[i]->path);
        free(work->traces.items[i]);
    }
    ser_vector_free(&work->traces);
}
