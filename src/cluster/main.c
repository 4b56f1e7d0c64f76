/* SPDX-License-Identifier: MIT */
/*
 * seriatim-mpi: `predict` and `explore` on the ranks of an MPI job (docs/scale.md).
 *
 * The options are those of the commands of seriatim, and a few of its own in front. All ranks get
 * the same command line, and see the same files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/output/log.h"
#include "base/output/print.h"
#include "base/vector.h"
#include "cli/command.h"
#include "cli/streams.h"
#include "cluster/exploring.h"
#include "cluster/predicting.h"
#include "cluster/ranks.h"
#include "cluster/results.h"
#include "session/folder.h"

typedef struct program {
    ser_ranks ranks;
    const char *name; /* of the command */
    const ser_arguments *arguments;
    const ser_option *others; /* the options of seriatim's command */
} program;

#define SIMULATE                                                                                   \
    {                                                                                              \
        .name = "simulate", .kind = SER_OPTION_NUMBER, .argument = "N", .least = 1, .most = 65536, \
        .help = "also say how well up to N ranks, each with a core of its own, would be used, by " \
                "the processor time that the jobs took"                                            \
    }

static const ser_option of_predict[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "DIR",
     .standard = "seriatim.mpi",
     .help = "folder for results, which all ranks see; what is there already is not done again"},
    {.name = "slice",
     .kind = SER_OPTION_SECONDS,
     .argument = "SECONDS",
     .standard = "1",
     .help = "a block that takes longer is divided into parts, each with --timeout"},
    {.name = "parts",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "64",
     .least = 1,
     .most = 4096,
     .help = "into how many, at most; a power of two"},
    SIMULATE,
    {.name = NULL},
};

static const ser_option of_explore[] = {
    {.name = "chunk",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "8",
     .least = 1,
     .most = 1000000,
     .help = "schedules that a rank tries before it asks for more"},
    SIMULATE,
    {.name = NULL},
};

static size_t count_options(const ser_option *table)
{
    size_t count = 0;
    while (table[count].name)
        count++;
    return count;
}

/* Ours come first; to be freed. */
static ser_option *join_tables(const ser_option *ours, const ser_option *others)
{
    size_t first = count_options(ours), second = count_options(others);
    ser_option *all = ser_alloc(first + second + 1, sizeof *all);
    memcpy(all, ours, first * sizeof *all);
    memcpy(all + first, others, second * sizeof *all);
    return all;
}

static void print_options(FILE *file, const ser_option *option, const char *only)
{
    for (; option->name; option++) {
        ser_print(file, "  --%s %s%s: %s", option->name, option->argument, only, option->help);
        ser_print(file, option->standard ? " [%s]\n" : "\n", option->standard);
    }
}

static void print_usage(FILE *file)
{
    ser_print(file, "Usage: mpirun -n RANKS seriatim-mpi predict [options] TRACE...\n"
                    "       mpirun -n RANKS seriatim-mpi explore [options] -- PROGRAM [ARGUMENTS]\n"
                    "\n"
                    "Does what seriatim predict and seriatim explore do, on many machines; takes\n"
                    "their options, and these:\n");
    print_options(file, of_predict, "");
    print_options(file, of_explore, " (explore)");
}

static ser_status refuse(const program *all, const char *const *names, size_t count,
                         ser_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (ser_arguments_given(all->arguments, names[i]))
            return ser_fail(error, SER_USAGE, "--%s does not go with seriatim-mpi", names[i]);
    return SER_OK;
}

static void print_cost(const program *all, const ser_ranks_cost *cost)
{
    double efficiency = cost->jobs / (all->ranks.count * (cost->busiest > 0 ? cost->busiest : 1));
    ser_message("%" PRIu32 " ranks: %.2f s of processor time for jobs, %.2f s on the busiest rank, "
                "efficiency %.2f",
                all->ranks.count, cost->jobs, cost->busiest, efficiency);
}

/* For as many ranks as there are, twice as many, and so on. */
static void print_simulation(const program *all, const ser_job_plan_options *options,
                             ser_job_costs *costs)
{
    uint64_t most = ser_arguments_number(all->arguments, "simulate");
    for (uint64_t ranks = all->ranks.count; ranks <= most; ranks *= 2) {
        ser_simulated found = ser_simulate(costs, options, (uint32_t)ranks);
        double busiest = found.busiest > 0 ? found.busiest : 1, end = found.end > 0 ? found.end : 1;
        ser_message("%" PRIu64 " simulated ranks: %.2f s on the busiest one, efficiency %.2f; "
                    "all done after %.2f s: %.2f",
                    ranks, found.busiest, found.jobs / ((double)ranks * busiest), found.end,
                    found.jobs / ((double)ranks * end));
    }
}

/* Rank 0 alone has a plan; its status, and its number of failed jobs, count. */
static ser_status work(const program *all, const ser_job_plan_options *options,
                       const ser_crew *crew, const double *repeated)
{
    ser_job_plan *plan = all->ranks.rank == 0 ? ser_job_plan_create(options) : NULL;
    ser_job_costs *costs = plan ? ser_job_costs_create() : NULL;
    ser_ranks_cost cost = ser_ranks_work(&all->ranks, plan, crew, repeated, costs);
    if (plan) {
        print_cost(all, &cost);
        print_simulation(all, options, costs);
    }
    ser_job_costs_destroy(costs);
    uint64_t failures = ser_ranks_share(plan ? ser_job_plan_failures(plan) : 0);
    ser_job_plan_destroy(plan);
    return failures ? SER_INPUT : SER_OK;
}

/* --- predict ------------------------------------------------------------------------------- */

static ser_status predict(const program *all, ser_error *error)
{
    static const char *const unfit[] = {"shard",  "split",     "window",
                                        "follow", "schedules", "list-candidates",
                                        "json",   "block",     "json-blocks"};
    uint32_t traces = (uint32_t)ser_arguments_operand_count(all->arguments);
    ser_status status = refuse(all, unfit, sizeof unfit / sizeof *unfit, error);
    if (status == SER_OK && !traces)
        status = ser_fail(error, SER_USAGE, "which trace?");
    if (status != SER_OK)
        return status;
    ser_cluster_results results = {0};
    status = ser_cluster_results_init(&results, all->arguments, all->ranks.rank == 0, error);
    if (ser_ranks_share((uint64_t)status) != SER_OK || status != SER_OK) {
        ser_cluster_results_fini(&results);
        return status;
    }
    const ser_job_plan_options options = {
        .folders = results.folders,
        .traces = traces,
        .sizes = results.sizes,
        .ranks = all->ranks.count,
        .parts = (uint32_t)ser_arguments_number(all->arguments, "parts"),
    };
    /* With several threads, or a solver that is another process, processor time is no measure. */
    static const char *const unmeasured[] = {"jobs", "solver-command", NULL};
    if (!ser_arguments_any_given(all->arguments, unmeasured))
        ser_clock_count_processor_time();
    ser_cluster_predictor predictor = {
        .arguments = all->arguments, .folders = results.folders, .beside = all->ranks.beside};
    const ser_crew crew = {ser_cluster_predict, &predictor};
    status = work(all, &options, &crew, &predictor.repeated);
    ser_cluster_predictor_fini(&predictor);
    if (all->ranks.rank == 0) {
        ser_status verdict = ser_cluster_results_report(&results, error);
        status = status != SER_OK ? status : verdict;
    }
    ser_cluster_results_fini(&results);
    return status;
}

/* --- explore ------------------------------------------------------------------------------- */

/* The options of `seriatim explore` as they were given, and the program. To be freed. */
static void collect_words(const program *all, ser_cluster_explorer *explorer)
{
    static const char *const ours[] = {"output", "schedules", "seed", "chunk", "simulate"};
    SER_VECTOR(char *) words = {0};
    for (const ser_option *option = all->others; option->name; option++) {
        bool is_ours = !ser_arguments_given(all->arguments, option->name);
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            is_ours |= strcmp(option->name, ours[i]) == 0;
        if (is_ours)
            continue;
        const char *value = option->kind == SER_OPTION_FLAG
                                ? NULL
                                : ser_arguments_text(all->arguments, option->name);
        char *word = NULL;
        if (asprintf(&word, "--%s%s%s", option->name, value ? "=" : "", value ? value : "") < 0)
            ser_out_of_memory(0);
        ser_vector_push(&words, word);
    }
    ser_vector_push(&words, strdup("--"));
    for (size_t i = 0; i < ser_arguments_operand_count(all->arguments); i++)
        ser_vector_push(&words, strdup(ser_arguments_operand(all->arguments, i)));
    explorer->words = words.items;
    explorer->word_count = words.count;
}

/* The seriatim that lies beside this program. */
static char *find_seriatim(void)
{
    char own[4000], *path = NULL;
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (asprintf(&path, "%.*s/seriatim", slash ? (int)(slash - own) : 1, slash ? own : ".") < 0)
        ser_out_of_memory(0);
    return path;
}

static ser_status explore(const program *all, ser_error *error)
{
    static const char *const unfit[] = {"json", "report", "seed"};
    uint64_t schedules = ser_arguments_number(all->arguments, "schedules");
    uint64_t chunk = ser_arguments_number(all->arguments, "chunk");
    ser_status status = refuse(all, unfit, sizeof unfit / sizeof *unfit, error);
    if (status == SER_OK && !schedules)
        status = ser_fail(error, SER_USAGE, "--schedules N is missing: how many runs, in all?");
    if (status == SER_OK && (schedules + chunk - 1) / chunk > SER_MOST_SHARDS)
        status = ser_fail(error, SER_USAGE, "too many jobs: use a larger --chunk");
    if (status == SER_OK && !ser_arguments_operand_count(all->arguments))
        status = ser_fail(error, SER_USAGE, "which program?");
    if (status != SER_OK)
        return status;
    char *folder = (char *)ser_arguments_text(all->arguments, "output"),
         *seriatim = find_seriatim();
    ser_cluster_explorer explorer = {.program = seriatim, .folder = folder, .schedules = chunk};
    collect_words(all, &explorer);
    const ser_job_plan_options options = {
        .folders = &folder,
        .traces = 1,
        .ranks = all->ranks.count,
        .shards = (uint32_t)((schedules + chunk - 1) / chunk),
    };
    const ser_crew crew = {ser_cluster_explore, &explorer};
    const double none_repeated = 0;
    status = ser_make_folder(folder, error);
    if (ser_ranks_share((uint64_t)status) == SER_OK && status == SER_OK)
        status = work(all, &options, &crew, &none_repeated);
    if (status == SER_OK && all->ranks.rank == 0)
        status = ser_cluster_explored(&explorer, options.shards, error);
    for (size_t i = 0; i < explorer.word_count; i++)
        free(explorer.words[i]);
    free(explorer.words);
    free(seriatim);
    return status;
}

/* --- the program ---------------------------------------------------------------------------- */

static ser_status parse_and_run(program *all, const ser_option *ours, int argc, char **argv,
                                ser_status (*run)(const program *, ser_error *))
{
    ser_option *table = join_tables(ours, all->others);
    ser_arguments *arguments = NULL;
    ser_error error = {0};
    ser_status status = ser_arguments_parse(&arguments, table, argc, argv, &error);
    if (status == SER_OK && ser_arguments_given(arguments, "help")) {
        if (all->ranks.rank == 0)
            print_usage(stdout);
    } else if (status == SER_OK) {
        all->arguments = arguments;
        ser_log_set_quiet(all->ranks.rank > 0 || ser_arguments_given(arguments, "quiet"));
        ser_interrupt_catch();
        if (ser_arguments_given(arguments, "budget"))
            ser_budget_start(ser_arguments_seconds(arguments, "budget"));
        status = run(all, &error);
    }
    if (error.text[0] && (all->ranks.rank == 0 || status != SER_USAGE))
        ser_complain("%s: %s", all->name, error.text);
    ser_arguments_destroy(arguments);
    free(table);
    return status;
}

static ser_status dispatch(program *all, int argc, char **argv)
{
    all->name = argc > 1 ? argv[1] : "";
    if (strcmp(all->name, "predict") == 0) {
        all->others = ser_command_predict.options;
        return parse_and_run(all, of_predict, argc - 2, argv + 2, predict);
    }
    if (strcmp(all->name, "explore") == 0) {
        all->others = ser_command_explore.options;
        return parse_and_run(all, of_explore, argc - 2, argv + 2, explore);
    }
    bool asked = strcmp(all->name, "--help") == 0 || strcmp(all->name, "-h") == 0;
    if (all->ranks.rank == 0)
        print_usage(asked ? stdout : stderr);
    return asked ? SER_OK : SER_USAGE;
}

/* The exit status is that of rank 0; the others end well, or mpirun would blame them. */
int main(int argc, char **argv)
{
    program all = {.ranks = ser_ranks_start(&argc, &argv)};
    ser_streams_prepare();
    int status = (int)ser_streams_finish(dispatch(&all, argc, argv));
    ser_ranks_end();
    status = all.ranks.rank == 0 ? status : 0;
    if (ser_has_abandoned_threads())
        _exit(status);
    return status;
}
