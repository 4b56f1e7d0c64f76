/* SPDX-License-Identifier: MIT */
#include "cli/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report_files.h"

/* --- traces ----------------------------------------------------------------- */

ser_reading ser_reading_of(const ser_arguments *arguments)
{
    return (ser_reading){.atomic = ser_arguments_text(arguments, "atomic"),
                         .lenient = ser_arguments_given(arguments, "lenient")};
}

ser_source_settings ser_source_of(const ser_arguments *arguments, const char *verb)
{
    return (ser_source_settings){.verb = verb,
                                 .path = ser_arguments_operand(arguments, 0),
                                 .reading = ser_reading_of(arguments)};
}

ser_status ser_refuse_outputs(const ser_arguments *arguments, const char *output, bool reports,
                              ser_error *error)
{
    const char *trace = ser_arguments_operand(arguments, 0);
    ser_status status = ser_source_refuse_output(trace, output, error);
    for (size_t i = 0; status == SER_OK && reports && ser_report_formats[i]; i++)
        status = ser_source_refuse_output(
            trace, ser_arguments_text(arguments, ser_report_formats[i]->name), error);
    return status;
}

/* --- prediction ------------------------------------------------------------- */

static bool is_value(const ser_arguments *arguments, const char *option, const char *value)
{
    return strcmp(ser_arguments_text(arguments, option), value) == 0;
}

/* All models, one after the other, end with the last. */
static ser_model model_of(const ser_arguments *arguments)
{
    if (is_value(arguments, "model", "avp"))
        return SER_MODEL_AVP;
    return is_value(arguments, "model", "data") ? SER_MODEL_DATA : SER_MODEL_GUARDS;
}

ser_effort ser_effort_of(const ser_arguments *arguments)
{
    enum { MEGABYTE = 1 << 20 };
    return (ser_effort){
        .model = model_of(arguments),
        .staged = is_value(arguments, "model", "auto"),
        .timeout = ser_arguments_seconds(arguments, "timeout"),
        .memory = (size_t)ser_arguments_number(arguments, "memory") * MEGABYTE,
        .jobs = (unsigned)ser_arguments_number(arguments, "jobs"),
    };
}

ser_predict_options ser_predict_options_of(const ser_arguments *arguments)
{
    const ser_effort effort = ser_effort_of(arguments);
    ser_predict_options options = ser_effort_options(&effort);
    options.engine = ser_search_engine_by_name(ser_arguments_text(arguments, "engine"));
    options.no_segment = ser_arguments_given(arguments, "no-segment");
    options.no_static = ser_arguments_given(arguments, "no-static");
    options.no_minimise = ser_arguments_given(arguments, "no-minimise");
    if (is_value(arguments, "criterion", "serializability"))
        options.search.criterion = SER_CRITERION_SERIALIZABILITY;
    else if (is_value(arguments, "criterion", "triple"))
        options.search.criterion = SER_CRITERION_TRIPLE;
    if (ser_arguments_given(arguments, "switches"))
        options.search.switches = (uint32_t)ser_arguments_number(arguments, "switches");
    options.search.smt_bits = is_value(arguments, "smt-order", "bits");
    options.search.solver_command = ser_arguments_text(arguments, "solver-command");
    options.search.dump = ser_arguments_text(arguments, "smt-dump");
    return options;
}

/* Schedules begin with the first event, and candidates are looked for beside whole witnesses. */
uint32_t ser_predict_near_of(const ser_arguments *arguments)
{
    enum { NEAR_EVENTS = 512 };
    static const char *const need_all[] = {"schedules", "list-candidates", NULL};
    return ser_arguments_any_given(arguments, need_all) ? 0 : NEAR_EVENTS;
}

ser_predict_choice ser_predict_choice_of(const ser_arguments *arguments)
{
    return (ser_predict_choice){
        .block = (uint32_t)ser_arguments_number(arguments, "block"),
        .thread = ser_arguments_text(arguments, "thread"),
        .function = ser_arguments_text(arguments, "function"),
    };
}

/* --- recording -------------------------------------------------------------- */

/* Flags that become settings of the runtime. */
static const struct {
    const char *flag, *setting;
} runtime_flags[] = {
    {"scheduler", "scheduler"}, {"seed", "seed"},     {"quantum", "quantum"},
    {"depth", "depth"},         {"length", "length"}, {"exact", "exact"},
};

/* Some commands have only some of the options. */
static bool is_given(const ser_arguments *arguments, const char *name)
{
    return ser_arguments_knows(arguments, name) && ser_arguments_given(arguments, name);
}

static ser_status gather_inputs(ser_settings *settings, const ser_arguments *arguments,
                                ser_error *error)
{
    bool with = is_given(arguments, "inputs");
    bool without = is_given(arguments, "no-inputs");
    if (with && without)
        return ser_fail(error, SER_USAGE, "--inputs and --no-inputs contradict each other");
    if (with || without)
        ser_settings_add(settings, "inputs", with ? "1" : "0");
    return SER_OK;
}

/* What is in the environment first, then what the command line says. */
static ser_status gather_settings(ser_settings *settings, const ser_arguments *arguments,
                                  ser_error *error)
{
    ser_settings_add_text(settings, getenv(SER_OPTIONS_VARIABLE));
    ser_settings_add_text(settings, ser_arguments_text(arguments, "runtime"));
    for (size_t i = 0; i < sizeof runtime_flags / sizeof *runtime_flags; i++)
        if (is_given(arguments, runtime_flags[i].flag))
            ser_settings_add(settings, runtime_flags[i].setting,
                             ser_arguments_text(arguments, runtime_flags[i].flag));
    if (ser_arguments_given(arguments, "no-calls"))
        ser_settings_add(settings, "calls", "0");
    return gather_inputs(settings, arguments, error);
}

static ser_status init_recording(ser_recording *recording, const ser_arguments *arguments,
                                 const ser_settings *settings, char *const *command, bool *help,
                                 ser_error *error)
{
    const ser_recording_options options = {
        .command = command,
        .settings = ser_settings_text(settings),
        .limit = is_given(arguments, "limit") ? ser_arguments_text(arguments, "limit") : NULL,
        .parallel = strcmp(ser_arguments_text(arguments, "mode"), "parallel") == 0,
        .verify = is_given(arguments, "verify"),
        .run_limit = ser_arguments_seconds(arguments, "run-limit"),
        .classes = {.include = ser_arguments_text(arguments, "include"),
                    .exclude = ser_arguments_text(arguments, "exclude"),
                    .dump = ser_arguments_text(arguments, "dump-classes")},
    };
    ser_status status = ser_recording_init(recording, &options, help, error);
    if (status == SER_OK && *help)
        ser_settings_help(stdout);
    return status;
}

ser_status ser_recording_of(ser_recording *recording, const ser_arguments *arguments, size_t first,
                            char *const *otherwise, bool *help, ser_error *error)
{
    SER_VECTOR(char *) command = {0};
    ser_settings settings = {0};
    *recording = (ser_recording){0};
    for (size_t i = first; i < ser_arguments_operand_count(arguments); i++)
        ser_vector_push(&command, (char *)(uintptr_t)ser_arguments_operand(arguments, i));
    for (; first >= ser_arguments_operand_count(arguments) && otherwise && *otherwise; otherwise++)
        ser_vector_push(&command, *otherwise);
    ser_vector_push(&command, NULL);
    ser_status status = gather_settings(&settings, arguments, error);
    if (status == SER_OK)
        status = init_recording(recording, arguments, &settings, command.items, help, error);
    ser_vector_free(&settings);
    ser_vector_free(&command);
    return status;
}

void ser_surroundings_of(ser_recording *recording, const ser_arguments *arguments)
{
    recording->around.scratch = ser_arguments_text(arguments, "scratch");
    recording->around.reset = ser_arguments_text(arguments, "reset");
}

/* --- the main job ----------------------------------------------------------- */

ser_run_options ser_run_options_of(const char *name, const ser_arguments *arguments)
{
    return (ser_run_options){
        .name = name,
        .folder = ser_arguments_text(arguments, "output"),
        .reading = ser_reading_of(arguments),
        .atomic = ser_arguments_given(arguments, "atomic") ? ser_arguments_text(arguments, "atomic")
                                                           : NULL,
        .effort = ser_effort_of(arguments),
        .scheduler = ser_arguments_text(arguments, "scheduler"),
        .seed =
            ser_arguments_given(arguments, "seed") ? ser_arguments_number(arguments, "seed") : 1,
        .aside = ser_report_takes_stdout(arguments),
        .no_replay = ser_arguments_given(arguments, "no-replay"),
        .no_inputs = ser_arguments_given(arguments, "no-inputs"),
        .attempts = (unsigned)ser_arguments_number(arguments, "attempts"),
        .candidates = (unsigned)ser_arguments_number(arguments, "candidates"),
        .grace = ser_arguments_seconds(arguments, "grace"),
        .disk = ser_arguments_number(arguments, "disk") * 1000000,
        .redact = ser_arguments_given(arguments, "redact"),
    };
}
