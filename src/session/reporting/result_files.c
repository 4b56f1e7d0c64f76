/* SPDX-License-Identifier: MIT */
#include "session/reporting/result_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/io/output.h"

const char *ser_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *ser_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? ser_copy_text(path, (size_t)(slash - path)) : ser_copy_text(".", 1);
}

bool ser_is_json_name(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

char *ser_result_path(const char *input)
{
    char *path = NULL;
    if (ser_is_json_name(input))
        return ser_copy_text(input, strlen(input));
    if (asprintf(&path, "%s/result.json", input) < 0)
        ser_out_of_memory(0);
    return path;
}

ser_status ser_result_expect(const char *input, ser_error *error)
{
    char *path = ser_result_path(input);
    bool is_there = access(path, R_OK) == 0;
    free(path);
    return is_there ? SER_OK
                    : ser_fail(error, SER_INPUT,
                               "%s: not an output folder of seriatim run, explore or merge", input);
}

char *ser_result_find_file(const char *folder, const char *path)
{
    char *beside = NULL;
    if (asprintf(&beside, "%s/%s", folder, ser_base_name(path)) < 0)
        ser_out_of_memory(0);
    if (access(beside, R_OK) == 0)
        return beside;
    free(beside);
    return ser_copy_text(path, strlen(path));
}

char *ser_result_part(const char *folder, const ser_json_node *part)
{
    const char *name = ser_json_text_in(part, "folder");
    char *path = NULL;
    if (!name || !*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        ser_out_of_memory(0);
    return path;
}

bool ser_is_same_file(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

static ser_status finish(ser_output *output, ser_status status, ser_error *error)
{
    if (status == SER_OK)
        status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
}

ser_status ser_write_whole_file(const char *path, const void *bytes, size_t count, ser_error *error)
{
    ser_output *output;
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    ser_output_write(output, bytes, count);
    return finish(output, status, error);
}

static ser_status copy_bytes(FILE *from, const char *path, ser_output *to, ser_error *error)
{
    char bytes[1 << 16];
    size_t got;
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        ser_output_write(to, bytes, got);
    return ferror(from) ? ser_fail(error, SER_INPUT, "%s: it cannot be read", path) : SER_OK;
}

ser_status ser_copy_file(const char *from, const char *to, ser_error *error)
{
    ser_output *output;
    FILE *file = fopen(from, "rbe");
    if (!file)
        return ser_fail(error, SER_INPUT, "%s: %s", from, strerror(errno));
    ser_status status = ser_output_open(&output, to, error);
    if (status == SER_OK)
        status = finish(output, copy_bytes(file, from, output, error), error);
    fclose(file);
    return status;
}
