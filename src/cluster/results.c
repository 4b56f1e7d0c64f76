/* SPDX-License-Identifier: MIT */
#include "cluster/results.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/print.h"
#include "session/folder.h"
#include "session/reporting/shards.h"

/* Options that decide what is in the files; those of predict_task.h, and what makes the blocks. */
static const char *const DECIDING[] = {"model",    "criterion", "atomic",      "engine",
                                       "timeout",  "slice",     "parts",       "thread",
                                       "function", "switches",  "memory-total"};
static const char *const DECIDING_FLAGS[] = {"lenient", "no-segment", "no-static", "no-minimise"};

/* --- names ------------------------------------------------------------------------------- */

static uint64_t add(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t add_bytes(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, count - i < sizeof word ? count - i : sizeof word);
        hash = add(hash, word);
    }
    return add(hash, count);
}

static uint64_t hash_options(const ser_arguments *arguments)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof DECIDING / sizeof *DECIDING; i++) {
        const char *text = ser_arguments_text(arguments, DECIDING[i]);
        hash = text ? add_bytes(hash, (const unsigned char *)text, strlen(text)) : add(hash, 1);
    }
    for (size_t i = 0; i < sizeof DECIDING_FLAGS / sizeof *DECIDING_FLAGS; i++)
        hash = add(hash, ser_arguments_given(arguments, DECIDING_FLAGS[i]));
    return hash;
}

static ser_status hash_file(const char *path, uint64_t *hash, uint64_t *size, ser_error *error)
{
    enum { CHUNK = 1 << 20 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return ser_fail(error, SER_INPUT, "%s: %s", path, strerror(errno));
    unsigned char *bytes = ser_alloc(CHUNK, 1);
    for (size_t count; (count = fread(bytes, 1, CHUNK, file)) > 0; *size += count)
        *hash = add_bytes(*hash, bytes, count);
    ser_status status =
        ferror(file) ? ser_fail(error, SER_INPUT, "%s: %s", path, strerror(errno)) : SER_OK;
    free(bytes);
    fclose(file);
    return status;
}

static ser_status name_folder(const ser_cluster_results *results, size_t number, char **folder,
                              ser_error *error)
{
    const char *path = ser_arguments_operand(results->arguments, number);
    const char *slash = strrchr(path, '/');
    uint64_t hash = hash_options(results->arguments);
    ser_status status = hash_file(path, &hash, &results->sizes[number], error);
    if (status == SER_OK &&
        asprintf(folder, "%s/%.100s-%016" PRIx64, ser_arguments_text(results->arguments, "output"),
                 slash ? slash + 1 : path, hash) < 0)
        ser_out_of_memory(0);
    return status;
}

ser_status ser_cluster_results_init(ser_cluster_results *results, const ser_arguments *arguments,
                                    bool makes, ser_error *error)
{
    results->arguments = arguments;
    results->count = ser_arguments_operand_count(arguments);
    results->folders = ser_alloc(results->count, sizeof *results->folders);
    results->sizes = ser_alloc(results->count, sizeof *results->sizes);
    ser_status status =
        makes ? ser_make_folder(ser_arguments_text(arguments, "output"), error) : SER_OK;
    for (size_t i = 0; i < results->count && status == SER_OK; i++) {
        status = name_folder(results, i, &results->folders[i], error);
        if (status == SER_OK && makes)
            status = ser_make_folder(results->folders[i], error);
    }
    return status;
}

void ser_cluster_results_fini(ser_cluster_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        free(results->folders[i]);
    free(results->folders);
    free(results->sizes);
}

/* --- the whole ----------------------------------------------------------------------------- */

typedef SER_VECTOR(char *) path_list;

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_result(const char *name)
{
    size_t length = strlen(name);
    return (strncmp(name, "shard-", 6) == 0 || strncmp(name, "part-", 5) == 0) && length > 5 &&
           strcmp(name + length - 5, ".json") == 0;
}

static ser_status list_results(const char *folder, path_list *paths, ser_error *error)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return ser_fail(error, SER_INPUT, "%s: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char *path = NULL;
        if (!is_result(entry->d_name))
            continue;
        if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
            ser_out_of_memory(0);
        ser_vector_push(paths, path);
    }
    closedir(directory);
    if (paths->count > 1)
        qsort(paths->items, paths->count, sizeof *paths->items, compare_paths);
    return SER_OK;
}

static ser_status merge(const char *folder, const path_list *paths, ser_error *error)
{
    ser_shards shards = {0};
    char *whole = NULL;
    if (asprintf(&whole, "%s/whole.json", folder) < 0)
        ser_out_of_memory(0);
    ser_status status =
        ser_shards_gather(&shards, (const char *const *)paths->items, paths->count, error);
    if (status == SER_OK)
        status = ser_shards_save(&shards, whole, error);
    if (status == SER_OK) {
        ser_shards_print(&shards, stdout);
        ser_print(stdout, "Result: %s\n", whole);
        status = ser_shards_verdict(&shards);
    }
    ser_shards_fini(&shards);
    free(whole);
    return status;
}

/* Faults first, then violations, then what is undecided. */
static ser_status worse_of(ser_status one, ser_status other)
{
    static const int rank[] = {[SER_OK] = 0,    [SER_UNDECIDED] = 1, [SER_VIOLATION] = 2,
                               [SER_USAGE] = 3, [SER_INPUT] = 3,     [SER_INTERNAL] = 4};
    return rank[one] >= rank[other] ? one : other;
}

ser_status ser_cluster_results_report(const ser_cluster_results *results, ser_error *error)
{
    ser_status worst = SER_OK;
    for (size_t i = 0; i < results->count; i++) {
        path_list paths = {0};
        ser_status status = list_results(results->folders[i], &paths, error);
        if (status == SER_OK)
            status = paths.count ? merge(results->folders[i], &paths, error) : SER_UNDECIDED;
        worst = worse_of(worst, status);
        for (size_t k = 0; k < paths.count; k++)
            free(paths.items[k]);
        ser_vector_free(&paths);
    }
    return worst;
}
