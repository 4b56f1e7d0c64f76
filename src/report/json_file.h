/* SPDX-License-Identifier: MIT */
/*
 * json_file.h - JSON that goes to a file.
 */
#ifndef SER_REPORT_JSON_FILE_H
#define SER_REPORT_JSON_FILE_H

#include <stdio.h>

#include "base/output/json.h"

ser_json ser_json_to_file(FILE *file);

#endif
