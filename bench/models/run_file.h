/* SPDX-License-Identifier: MIT */
/*
 * run_file.h - the run of a model as a trace file, and what is in such a file.
 */
#ifndef SER_BENCH_RUN_FILE_H
#define SER_BENCH_RUN_FILE_H

#include "models.h"
#include "trace/writer.h"

/* SER_INTERNAL if the model deadlocks. */
ser_status write_run(const model *m, ser_writer_format format, const char *path, ser_error *error);

/* Counts the file's events, as any trace's. coupling: edges between threads (couples, forks,
 * joins, notifies) an event. */
ser_status measure_run(const char *path, figures *found, double *coupling, ser_error *error);

#endif
