/* SPDX-License-Identifier: MIT */
/*
 * files.h - inside of streams/: what threads share by a FILE.
 *
 * A FILE has a lock, which every call on it holds and flockfile takes, and a state: where it is,
 * and what is in its buffer. The lock is a mutex of ours, and the state a variable of ours. A call
 * that appends to what was written replaces the state, whatever it was, as an atomic update does;
 * one that reads from the file depends on it.
 *
 * As long as a single thread uses a FILE there is no lock. The standard output and error streams
 * have no state: threads may print in any order.
 */
#ifndef SER_RUNTIME_POSIX_STREAMS_FILES_H
#define SER_RUNTIME_POSIX_STREAMS_FILES_H

#include <stdbool.h>
#include <stdio.h>

typedef enum ser_file_use {
    SER_FILE_LOOKS,   /* its state is read */
    SER_FILE_READS,   /* the same, and changed then */
    SER_FILE_MOVES,   /* it is replaced */
    SER_FILE_APPENDS, /* something is added */
} ser_file_use;

typedef struct ser_file ser_file;

/* Before a call of the C library, and after it, on any path. Null: nothing is to be ended.
 * locks: the call takes the lock of the FILE. */
ser_file *ser_file_begin(FILE *file, ser_file_use use, bool locks);
void ser_file_end(void *begun);

/* The FILE is about to be closed: its address may become that of another one. */
void ser_file_forget(FILE *file);

#endif
