/* SPDX-License-Identifier: MIT */
/*
 * result_files.h - the files of a result: where they are, wherever its folder is now. All paths
 * that are returned are to be freed.
 */
#ifndef SER_SESSION_REPORTING_RESULT_FILES_H
#define SER_SESSION_REPORTING_RESULT_FILES_H

#include <stddef.h>

#include "base/json_tree.h"
#include "base/status.h"

/* What follows the last slash. */
const char *ser_base_name(const char *path);

/* "." of a file without one. */
char *ser_folder_of(const char *path);

/* "seriatim.out/result.json" of "seriatim.out"; a .json file itself. */
char *ser_result_path(const char *input);

/* SER_INPUT if it cannot be read: then the input is none. */
ser_status ser_result_expect(const char *input, ser_error *error);

/* Is it a file that is named like a result? */
bool ser_is_json_name(const char *path);

/* Results name files as seen from where the program ran. They lie in the folder, wherever that is
 * now. */
char *ser_result_find_file(const char *folder, const char *path);

/* The sub-folder of a part of a merged result; NULL if it names none. */
char *ser_result_part(const char *folder, const ser_json_node *part);

/* Both are there, and are one. */
bool ser_is_same_file(const char *path, const char *other);

ser_status ser_copy_file(const char *from, const char *to, ser_error *error);

/* The file appears under its name only once it is complete. */
ser_status ser_write_whole_file(const char *path, const void *bytes, size_t count,
                                ser_error *error);

#endif
