/* SPDX-License-Identifier: MIT */
/*
 * load_run.h - a whole trace in memory.
 */
#ifndef SER_CLI_LOAD_RUN_H
#define SER_CLI_LOAD_RUN_H

#include "cli/source.h"
#include "order/run.h"
#include "trace/statistics.h"

/* Reads an open source to its end, or to where it is stopped. The run needs the
 * source's symbols; it is NULL if the status is not SER_OK. */
ser_status ser_load_run(ser_source *source, ser_run **run, ser_counts *counts, ser_error *error);

#endif
