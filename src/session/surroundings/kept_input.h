/* SPDX-License-Identifier: MIT */
/*
 * kept_input.h - standard input that comes from a pipe, for all runs of a program.
 *
 * What is read from the pipe is kept in a file. Each run gets a pipe of its own, into which a
 * thread writes what is kept and then, as far as the program reads, what else comes. So the first
 * run sees its input as it arrives, and a pipe that nobody writes or closes makes nobody wait who
 * does not read it.
 */
#ifndef SER_SESSION_SURROUNDINGS_KEPT_INPUT_H
#define SER_SESSION_SURROUNDINGS_KEPT_INPUT_H

#include <pthread.h>
#include <sys/types.h>

#include "base/status.h"

typedef struct ser_kept_input {
    char *path; /* of the file with what was read; owned. NULL: nothing is kept */
    int file;
    off_t length; /* of that */
    bool live;    /* more may come from our standard input */
    /* While a run gets it: */
    bool feeding;
    pthread_t feeder;
    int sink, stop[2]; /* the end that is written, and a pipe whose end ends the thread */
} ser_kept_input;

/* Nothing is kept. */
void ser_kept_input_init(ser_kept_input *input);

/* Is standard input something that can be read only once? */
bool ser_input_comes_from_pipe(void);

/* Keeps what comes from standard input in a new file. */
ser_status ser_kept_input_create(ser_kept_input *input, const char *path, ser_error *error);

/* What an earlier command has kept. */
ser_status ser_kept_input_open(ser_kept_input *input, const char *path, ser_error *error);

/* A descriptor for a program to read, which the caller closes once it is started. */
ser_status ser_kept_input_begin(ser_kept_input *input, int *descriptor, ser_error *error);
/* The program has ended. */
void ser_kept_input_end(ser_kept_input *input);

/* The file stays, unless nothing is in it. */
void ser_kept_input_fini(ser_kept_input *input);

#endif
