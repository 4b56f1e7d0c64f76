/* SPDX-License-Identifier: MIT */
/*
 * A job's folder counts when a file beside it says that the exploration has ended: what was killed
 * is done again, and `seriatim explore` removes what is left of the earlier one.
 */
#include "cluster/exploring.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vector.h"
#include "cluster/plan.h"
#include "trace/io/output.h"

typedef SER_VECTOR(char *) words;

static void add(words *line, const char *word)
{
    ser_vector_push(line, strdup(word));
}

static void free_words(words *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->items[i]);
    ser_vector_free(line);
}

/* Runs a command; its exit status, or an error if it has none. */
static ser_status run(words *line, bool silent, int *code, ser_error *error)
{
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (silent)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ser_vector_push(line, NULL);
    int failure = posix_spawn(&child, line->items[0], &actions, NULL, line->items, environ);
    line->count--;
    posix_spawn_file_actions_destroy(&actions);
    if (failure)
        return ser_fail(error, SER_INPUT, "%s: %s", line->items[0], strerror(failure));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ser_fail(error, SER_INTERNAL, "waitpid: %s", strerror(errno));
    if (!WIFEXITED(status))
        return ser_fail(error, SER_UNDECIDED, "%s was ended by a signal", line->items[0]);
    *code = WEXITSTATUS(status);
    return SER_OK;
}

static void job_folder(const ser_cluster_explorer *all, uint32_t number,
                       char path[SER_JOB_PATH_SIZE])
{
    snprintf(path, SER_JOB_PATH_SIZE, "%s/schedules-%" PRIu64 "-%" PRIu64, all->folder,
             (number - 1) * all->schedules + 1, number * all->schedules);
}

static void write_line(const ser_cluster_explorer *all, const ser_job *job, const char *folder,
                       words *line)
{
    char number[24];
    add(line, all->program);
    add(line, "explore");
    add(line, "--output");
    add(line, folder);
    snprintf(number, sizeof number, "%" PRIu64, all->schedules);
    add(line, "--schedules");
    add(line, number);
    snprintf(number, sizeof number, "%" PRIu64, (job->part.number - 1) * all->schedules + 1);
    add(line, "--seed");
    add(line, number);
    for (size_t i = 0; i < all->word_count; i++)
        add(line, all->words[i]);
}

/* The plan looks for a file: it names the folder. */
static ser_status note_done(const ser_cluster_explorer *all, const ser_job *job, int code,
                            ser_error *error)
{
    char path[SER_JOB_PATH_SIZE], text[64];
    ser_output *output;
    ser_job_path(all->folder, job, path);
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    int length = snprintf(text, sizeof text, "{\"status\": %d}\n", code);
    ser_output_write(output, text, (size_t)length);
    status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
}

ser_status ser_cluster_explore(void *context, const ser_job *job, uint32_t *shards,
                               ser_error *error)
{
    const ser_cluster_explorer *all = context;
    char folder[SER_JOB_PATH_SIZE];
    words line = {0};
    int code = 0;
    (void)shards;
    job_folder(all, job->part.number, folder);
    write_line(all, job, folder, &line);
    ser_status status = run(&line, true, &code, error);
    bool is_result = code == SER_OK || code == SER_VIOLATION || code == SER_UNDECIDED;
    if (status == SER_OK && !is_result)
        status = ser_fail(error, (ser_status)code, "seriatim explore ended with status %d", code);
    if (status == SER_OK)
        status = note_done(all, job, code, error);
    free_words(&line);
    return status;
}

ser_status ser_cluster_explored(const ser_cluster_explorer *explorer, uint32_t jobs,
                                ser_error *error)
{
    char folder[SER_JOB_PATH_SIZE];
    words line = {0};
    int code = 0;
    add(&line, explorer->program);
    add(&line, "merge");
    add(&line, "--output");
    snprintf(folder, sizeof folder, "%s/merged", explorer->folder);
    add(&line, folder);
    for (uint32_t i = 1; i <= jobs; i++) {
        job_folder(explorer, i, folder);
        if (access(folder, R_OK) == 0)
            add(&line, folder);
    }
    ser_status status = run(&line, false, &code, error);
    free_words(&line);
    return status == SER_OK ? (ser_status)code : status;
}
