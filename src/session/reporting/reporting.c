/* SPDX-License-Identifier: MIT */
/*
 * Results of runs that are there already. Whatever part of them is missing, a trace that was
 * removed say, makes the report poorer and nothing worse.
 */
#include "session/reporting/reporting.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/log.h"
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

/* Results name files as seen from where the program ran. They lie in the folder, wherever that is
 * now. To be freed. */
static char *find_file(const char *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *beside = NULL;
    if (asprintf(&beside, "%s/%s", folder, slash ? slash + 1 : path) < 0)
        ser_out_of_memory(0);
    if (access(beside, R_OK) == 0)
        return beside;
    free(beside);
    return ser_copy_text(path, strlen(path));
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

static void illustrate(ser_reporting *work, size_t index, const char *folder,
                       const ser_reading *reading)
{
    const ser_entry *entry = &work->dossier.entries.items[index];
    ser_error error = {0};
    ser_loaded *loaded;
    bool is_failure = entry->failure && !entry->schedule;
    if (!entry->trace || (!is_failure && (!entry->schedule || !entry->block)))
        return;
    char *trace = find_file(folder, entry->trace);
    char *schedule = is_failure ? NULL : find_file(folder, entry->schedule);
    ser_status status = ser_reporting_load(work, trace, reading, &loaded, &error);
    if (status == SER_OK)
        status = is_failure ? draw_failure(work, index, loaded->run, &error)
                            : draw(work, index, loaded->run, schedule, &error);
    if (status != SER_OK)
        ser_warning("%s is reported without its interleaving: %s", entry->id, error.text);
    free(trace);
    free(schedule);
}

static ser_status add_result(ser_reporting *work, const char *folder, const char *path,
                             ser_error *error)
{
    ser_json_tree *tree;
    size_t first = work->dossier.entries.count;
    ser_status status = ser_json_tree_load(&tree, path, error);
    if (status != SER_OK)
        return status;
    status = ser_dossier_add(&work->dossier, tree, error);
    if (status != SER_OK) {
        ser_error_prefix(error, "%s", path);
        return status;
    }
    const char *atomic = ser_json_text_in(ser_json_root(tree), "atomic");
    const ser_reading reading = {.atomic = atomic ? atomic : "auto",
                                 .lenient = work->options.reading.lenient};
    for (size_t i = first; i < work->dossier.entries.count && ser_reporting_may_draw(work); i++)
        illustrate(work, i, folder, &reading);
    return SER_OK;
}

static bool is_json(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

static ser_status add_file(ser_reporting *work, const char *path, ser_error *error)
{
    char *folder = ser_copy_text(path, strlen(path)), *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    ser_status status = add_result(work, slash ? folder : ".", path, error);
    free(folder);
    return status;
}

ser_status ser_reporting_add(ser_reporting *work, const char *path, ser_error *error)
{
    struct stat about;
    char *result = NULL;
    if (strcmp(path, "-") != 0 && is_json(path))
        return add_file(work, path, error);
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return ser_reporting_analyse(work, path, error);
    if (asprintf(&result, "%s/result.json", path) < 0)
        ser_out_of_memory(0);
    ser_status status = add_result(work, path, result, error);
    free(result);
    return status;
}

void ser_reporting_finish(ser_reporting *work)
{
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
