/* SPDX-License-Identifier: MIT */
#include "cli/predict_settings.h"

#include <string.h>

#include "base/host.h"

/* Half of the machine's memory for all that run at the same time. */
static size_t memory_limit(const ser_arguments *arguments, unsigned jobs)
{
    enum { MEGABYTE = 1 << 20 };
    if (ser_arguments_given(arguments, "memory"))
        return (size_t)ser_arguments_number(arguments, "memory") * MEGABYTE;
    return (size_t)(ser_host_memory() / 2 / jobs);
}

static bool is_value(const ser_arguments *arguments, const char *option, const char *value)
{
    return strcmp(ser_arguments_text(arguments, option), value) == 0;
}

ser_predict_options ser_predict_effort(const ser_arguments *arguments)
{
    unsigned jobs = ser_arguments_given(arguments, "jobs")
                        ? (unsigned)ser_arguments_number(arguments, "jobs")
                        : ser_host_cores();
    return (ser_predict_options){
        .timeout = ser_arguments_seconds(arguments, "timeout"),
        .jobs = jobs,
        .search = {.criterion = SER_CRITERION_PATH,
                   .memory = memory_limit(arguments, jobs),
                   .switches = UINT32_MAX},
    };
}

ser_predict_options ser_predict_settings(const ser_arguments *arguments)
{
    ser_predict_options options = ser_predict_effort(arguments);
    options.engine = ser_search_engine_by_name(ser_arguments_text(arguments, "engine"));
    options.no_segment = ser_arguments_given(arguments, "no-segment");
    options.no_static = ser_arguments_given(arguments, "no-static");
    options.no_minimise = ser_arguments_given(arguments, "no-minimise");
    if (!is_value(arguments, "criterion", "path"))
        options.search.criterion = SER_CRITERION_SERIALIZABILITY;
    if (ser_arguments_given(arguments, "switches"))
        options.search.switches = (uint32_t)ser_arguments_number(arguments, "switches");
    options.search.smt_bits = is_value(arguments, "smt-order", "bits");
    options.search.solver_command = ser_arguments_text(arguments, "solver-command");
    options.search.dump = ser_arguments_text(arguments, "smt-dump");
    return options;
}
