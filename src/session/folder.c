/* SPDX-License-Identifier: MIT */
#include "session/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/capture/spool.h"
#include "session/surroundings/tree.h"

ser_status ser_make_folder(const char *path, ser_error *error)
{
    struct stat about;
    if (!path || mkdir(path, 0777) == 0)
        return SER_OK;
    int problem = errno;
    if (problem == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return SER_OK;
    return ser_fail(error, SER_INPUT, "%s: %s", path,
                    problem == EEXIST ? "not a folder" : strerror(problem));
}

/* What a run makes, also half-written. */
static bool is_ours(const char *name)
{
    static const char *const patterns[] = {
        "run-*.srt",        "run-*.out",    "replay-*.srt", "replay-*.out", "violation-*.schedule",
        "result.json",      "again.srt",    "run.input",    "run.scratch",  "run-*.scratch",
        "replay-*.scratch", "report.sarif", "junit.xml",    "index.html"};
    char base[NAME_MAX + 1];
    size_t length = strlen(name), suffix = strlen(".tmpXXXXXX");
    snprintf(base, sizeof base, "%s", name);
    if (length > suffix && fnmatch("*.tmp??????", name, 0) == 0)
        base[length - suffix] = '\0';
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], base, 0) == 0)
            return true;
    return false;
}

/* Spools of runs that were killed: the folder is used for new runs, so they will not be
 * finished. */
static void remove_dead_spool(const char *folder, const char *name)
{
    char *path;
    if (fnmatch("*.srt.part", name, 0) != 0 || asprintf(&path, "%s/%s", folder, name) < 0)
        return;
    ser_spool_remove_dead(path);
    free(path);
}

static void remove_ours(const char *folder, const char *name)
{
    char path[PATH_MAX];
    ser_error ignored; /* it stays, and what is made is written over it */
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ser_tree_remove(path, &ignored);
}

ser_status ser_make_run_folder(const char *folder, ser_error *error)
{
    ser_status status = ser_make_folder(folder, error);
    DIR *entries = status == SER_OK ? opendir(folder) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (is_ours(entry->d_name))
            remove_ours(folder, entry->d_name);
        else
            remove_dead_spool(folder, entry->d_name);
    }
    if (entries)
        closedir(entries);
    return status;
}
