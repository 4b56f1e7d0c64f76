/* SPDX-License-Identifier: MIT */
#include "session/reporting/merging.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/json_tree.h"
#include "base/output/json.h"
#include "base/vector.h"
#include "report/json_file.h"
#include "session/folder.h"
#include "session/reporting/result_files.h"

typedef struct task {
    char *name;   /* of its sub-folder, too */
    char *source; /* the result.json that it came from, in full */
    char *verdict;
} task;

typedef struct merge {
    const char *folder;
    char *place; /* the folder, in full */
    SER_VECTOR(task) tasks;
} merge;

static char *join_path(const char *folder, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        ser_out_of_memory(0);
    return path;
}

static char *copy_or_empty(const char *text)
{
    return text ? ser_copy_text(text, strlen(text)) : ser_copy_text("", 0);
}

/* --- which task it is ------------------------------------------------------------- */

/* "bank" of "build/bank/result.json" and of "tests/bank/seriatim.out/result.json". */
static char *name_by_place(const char *source)
{
    char *path = copy_or_empty(source), *slash = strrchr(path, '/');
    *slash = '\0';
    slash = strrchr(path, '/');
    if (slash && slash > path && strcmp(slash + 1, "seriatim.out") == 0) {
        *slash = '\0';
        slash = strrchr(path, '/');
    }
    char *name = copy_or_empty(slash && slash[1] ? slash + 1 : "result");
    free(path);
    return name;
}

static task *find_task(merge *work, const char *name)
{
    for (size_t i = 0; i < work->tasks.count; i++)
        if (strcmp(work->tasks.items[i].name, name) == 0)
            return &work->tasks.items[i];
    return NULL;
}

/* The task of a source; a new one has a name that no other has. */
static task *task_of(merge *work, const char *source)
{
    for (size_t i = 0; i < work->tasks.count; i++)
        if (strcmp(work->tasks.items[i].source, source) == 0)
            return &work->tasks.items[i];
    char *base = name_by_place(source), *name = copy_or_empty(base);
    for (unsigned number = 2; find_task(work, name); number++) {
        free(name);
        if (asprintf(&name, "%s-%u", base, number) < 0)
            ser_out_of_memory(0);
    }
    free(base);
    ser_vector_push(&work->tasks, ((task){.name = name, .source = copy_or_empty(source)}));
    return &work->tasks.items[work->tasks.count - 1];
}

/* --- taking one in ------------------------------------------------------------------ */

static ser_status copy_named(const ser_json_node *from, const char *key, const char *folder,
                             const char *into, ser_error *error)
{
    const char *name = ser_json_text_in(from, key);
    if (!name)
        return SER_OK;
    char *path = ser_result_find_file(folder, name);
    char *copy = join_path(into, ser_base_name(path));
    bool is_there = access(path, R_OK) == 0; /* without it the report is poorer, nothing else */
    ser_status status = is_there ? ser_copy_file(path, copy, error) : SER_OK;
    free(path);
    free(copy);
    return status;
}

static ser_status copy_files(const ser_json_node *list, const char *folder, const char *into,
                             ser_error *error)
{
    ser_status status = SER_OK;
    for (const ser_json_node *item = ser_json_first(list); status == SER_OK && item;
         item = item->next) {
        if (ser_should_stop())
            return ser_fail(error, SER_UNDECIDED, "%s: %s before its files were copied", folder,
                            ser_stop_reason());
        status = copy_named(item, "trace", folder, into, error);
        if (status == SER_OK)
            status = copy_named(item, "schedule", folder, into, error);
    }
    return status;
}

static ser_status copy_result(const ser_json_node *root, const char *source, const char *into,
                              ser_error *error)
{
    char *folder = ser_folder_of(source), *copy = join_path(into, "result.json");
    ser_status status = ser_make_run_folder(into, error);
    if (status == SER_OK)
        status = copy_files(ser_json_member(root, "violations"), folder, into, error);
    if (status == SER_OK)
        status = copy_files(ser_json_member(root, "failures"), folder, into, error);
    if (status == SER_OK)
        status = ser_copy_file(source, copy, error);
    free(folder);
    free(copy);
    return status;
}

static ser_status take_in(merge *work, const char *input, ser_error *error);

/* The input is itself a merged folder: each of its tasks is added. */
static ser_status take_in_merged(merge *work, const ser_json_node *root, const char *source,
                                 ser_error *error)
{
    char *folder = ser_folder_of(source);
    ser_status status = SER_OK;
    const ser_json_node *item = ser_json_first(ser_json_member(root, "results"));
    for (; status == SER_OK && item; item = item->next) {
        char *path = ser_result_part(folder, item);
        if (path)
            status = take_in(work, path, error);
        free(path);
    }
    free(folder);
    return status;
}

static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static ser_status take_in_tree(merge *work, const ser_json_node *root, const char *source,
                               ser_error *error)
{
    if (ser_json_member(root, "results"))
        return take_in_merged(work, root, source, error);
    if (!ser_json_text_in(root, "verdict") || !ser_json_member(root, "program"))
        return ser_fail(error, SER_INPUT, "%s: not a result of seriatim run, explore or merge",
                        source);
    task *of = task_of(work, source);
    char *into = join_path(work->folder, of->name);
    free(of->verdict);
    of->verdict = copy_or_empty(ser_json_text_in(root, "verdict"));
    ser_status status = copy_result(root, source, into, error);
    free(into);
    return status;
}

static ser_status take_in(merge *work, const char *input, ser_error *error)
{
    char *path = ser_result_path(input), *source = realpath(path, NULL);
    ser_json_tree *tree = NULL;
    ser_status status = ser_json_tree_load(&tree, path, error);
    if (status == SER_OK && lies_in(source, work->place))
        status = ser_fail(error, SER_USAGE, "%s: it lies in the output folder", input);
    if (status == SER_OK)
        status = take_in_tree(work, ser_json_root(tree), source, error);
    ser_json_tree_destroy(tree);
    free(source);
    free(path);
    return status;
}

/* --- the index ----------------------------------------------------------------------- */

/* What the folder holds already; nothing if it is new. */
static ser_status read_index(merge *work, ser_error *error)
{
    char *path = join_path(work->folder, "result.json");
    ser_json_tree *tree = NULL;
    ser_status status = SER_OK;
    if (access(path, F_OK) == 0)
        status = ser_json_tree_load(&tree, path, error);
    const ser_json_node *list = tree ? ser_json_member(ser_json_root(tree), "results") : NULL;
    if (tree && !list)
        status = ser_fail(error, SER_USAGE,
                          "%s: it holds the result of a run; name another folder with --output",
                          work->folder);
    for (const ser_json_node *item = ser_json_first(list); item; item = item->next)
        ser_vector_push(&work->tasks,
                        ((task){.name = copy_or_empty(ser_json_text_in(item, "task")),
                                .source = copy_or_empty(ser_json_text_in(item, "source")),
                                .verdict = copy_or_empty(ser_json_text_in(item, "verdict"))}));
    ser_json_tree_destroy(tree);
    free(path);
    return status;
}

static bool has_verdict(const merge *work, const char *verdict)
{
    for (size_t i = 0; i < work->tasks.count; i++)
        if (strcmp(work->tasks.items[i].verdict, verdict) == 0)
            return true;
    return false;
}

static void print_index(const merge *work, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    bool bad = has_verdict(work, "violation"), unsure = has_verdict(work, "undecided");
    ser_json_open_object(&json);
    ser_json_text_at(&json, "command", "merge");
    ser_json_text_at(&json, "verdict", bad ? "violation" : unsure ? "undecided" : "none");
    ser_json_key(&json, "results");
    ser_json_open_array(&json);
    for (size_t i = 0; i < work->tasks.count; i++) {
        const task *of = &work->tasks.items[i];
        ser_json_open_object(&json);
        ser_json_text_at(&json, "task", of->name);
        ser_json_text_at(&json, "folder", of->name);
        ser_json_text_at(&json, "source", of->source);
        ser_json_text_at(&json, "verdict", of->verdict);
        ser_json_close_object(&json);
    }
    ser_json_close_array(&json);
    ser_json_close_object(&json);
    ser_json_end(&json);
}

static ser_status write_index(const merge *work, ser_error *error)
{
    char *path = join_path(work->folder, "result.json"), *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    print_index(work, file);
    fclose(file);
    ser_status status = ser_write_whole_file(path, text, size, error);
    free(text);
    free(path);
    return status;
}

/* Before anything is written. */
static ser_status refuse_others(const char *const *inputs, size_t count, ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && i < count; i++)
        status = ser_result_expect(inputs[i], error);
    return status;
}

ser_status ser_merge_results(const char *folder, const char *const *inputs, size_t count,
                             ser_error *error)
{
    merge work = {.folder = folder};
    ser_status status = refuse_others(inputs, count, error);
    if (status == SER_OK)
        status = ser_make_folder(folder, error);
    if (status == SER_OK)
        status = read_index(&work, error);
    work.place = status == SER_OK ? realpath(folder, NULL) : NULL;
    for (size_t i = 0; status == SER_OK && i < count; i++)
        status = take_in(&work, inputs[i], error);
    if (status == SER_OK)
        status = write_index(&work, error);
    for (size_t i = 0; i < work.tasks.count; i++) {
        free(work.tasks.items[i].name);
        free(work.tasks.items[i].source);
        free(work.tasks.items[i].verdict);
    }
    ser_vector_free(&work.tasks);
    free(work.place);
    return status;
}
