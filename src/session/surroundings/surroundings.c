/* SPDX-License-Identifier: MIT */
#include "session/surroundings/surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/output/log.h"
#include "session/surroundings/tree.h"

void ser_surroundings_init(ser_surroundings *around)
{
    *around = (ser_surroundings){0};
    ser_kept_input_init(&around->input);
}

static void remove_copy(const ser_surroundings *around)
{
    ser_error error;
    if (around->copy && ser_tree_remove(around->copy, &error) != SER_OK)
        ser_warning("%s", error.text);
}

void ser_surroundings_fini(ser_surroundings *around)
{
    ser_kept_input_fini(&around->input);
    remove_copy(around);
    free(around->copy);
    ser_surroundings_init(around);
}

/* --- where ------------------------------------------------------------------------ */

static ser_status find_place_of_copies(ser_surroundings *around, ser_error *error)
{
    char *whole = realpath(around->folder, NULL);
    struct stat about;
    if (!whole)
        return ser_fail(error, SER_INPUT, "%s: %s", around->folder, strerror(errno));
    int length = asprintf(&around->copy, "%s/run.scratch", whole);
    free(whole);
    if (length < 0) {
        around->copy = NULL;
        return ser_fail(error, SER_INPUT, "%s: %s", around->folder, strerror(ENOMEM));
    }
    if (stat(around->scratch, &about) != 0 || !S_ISDIR(about.st_mode))
        return ser_fail(error, SER_INPUT, "--scratch %s: %s", around->scratch,
                        strerror(errno ? errno : ENOTDIR));
    return SER_OK;
}

ser_status ser_surroundings_begin(ser_surroundings *around, const char *folder, bool several,
                                  ser_error *error)
{
    char path[PATH_MAX];
    around->folder = folder;
    errno = 0;
    ser_status status = around->scratch ? find_place_of_copies(around, error) : SER_OK;
    if (status != SER_OK || !several || !ser_input_comes_from_pipe())
        return status;
    snprintf(path, sizeof path, "%s/run.input", folder);
    return ser_kept_input_create(&around->input, path, error);
}

ser_status ser_surroundings_find_input(ser_surroundings *around, const char *trace,
                                       ser_error *error)
{
    char path[PATH_MAX];
    struct stat about;
    const char *slash = strrchr(trace, '/');
    int folder = slash ? (int)(slash - trace) : 1;
    snprintf(path, sizeof path, "%.*s/run.input", folder, slash ? trace : ".");
    bool is_file = fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode);
    if (is_file || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return SER_OK;
    ser_message("standard input of the program is %s", path);
    return ser_kept_input_open(&around->input, path, error);
}

/* --- before and after a run ------------------------------------------------------- */

_Noreturn static void become_reset(const char *command)
{
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(SER_PROGRAM_NOT_FOUND);
}

static ser_status reset(const char *command, ser_error *error)
{
    int ended = 0;
    pid_t process = fork();
    if (process == 0)
        become_reset(command);
    while (process > 0 && waitpid(process, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (process < 0)
        return ser_fail(error, SER_INPUT, "--reset %s: %s", command, strerror(errno));
    if (ended == 0 || ser_was_interrupted())
        return SER_OK;
    return ser_fail(error, SER_INPUT,
                    "--reset %s: it ended with %s %d, so the program was not run "
                    "again",
                    command, WIFSIGNALED(ended) ? "signal" : "status",
                    WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
}

static ser_status make_copy(ser_surroundings *around, ser_error *error)
{
    ser_status status = ser_tree_remove(around->copy, error);
    if (status == SER_OK)
        status = ser_tree_copy(around->scratch, around->copy, around->folder, error);
    if (status != SER_OK)
        ser_error_prefix(error, "--scratch %s", around->scratch);
    return status;
}

ser_status ser_surroundings_enter(ser_surroundings *around, ser_record_options *options,
                                  ser_error *error)
{
    ser_status status = SER_OK;
    if (around->reset && around->not_first)
        status = reset(around->reset, error);
    around->not_first = true;
    if (status == SER_OK && around->copy)
        status = make_copy(around, error);
    if (status == SER_OK && around->input.path)
        status = ser_kept_input_begin(&around->input, &around->given, error);
    options->folder = around->copy;
    options->input = around->given;
    return status;
}

void ser_surroundings_leave(ser_surroundings *around)
{
    if (around->given > 0)
        close(around->given);
    around->given = 0;
    ser_kept_input_end(&around->input);
}

void ser_surroundings_keep(const ser_surroundings *around, const char *trace)
{
    char path[PATH_MAX];
    size_t length = strlen(trace), ending = strlen(".srt");
    ser_error error;
    if (!around->copy)
        return;
    if (length > ending && strcmp(trace + length - ending, ".srt") == 0)
        length -= ending;
    snprintf(path, sizeof path, "%.*s.scratch", (int)length, trace);
    if (ser_tree_remove(path, &error) != SER_OK)
        ser_warning("%s", error.text);
    else if (rename(around->copy, path) != 0 && errno != ENOENT)
        ser_warning("%s cannot be kept as %s: %s", around->copy, path, strerror(errno));
}
