/* SPDX-License-Identifier: MIT */
/*
 * reader.h - a trace in any format as a stream of events, in one pass.
 *
 * The format (text, native, RoadRunner log) is recognised by content. A format
 * is a ser_format: a table of functions that turn bytes into events.
 * Memory: names of the trace only, never its events. Not thread-safe.
 */
#ifndef SER_TRACE_READER_H
#define SER_TRACE_READER_H

#include "base/status.h"
#include "trace/checkpoint.h"
#include "trace/event.h"
#include "trace/io/input.h"
#include "trace/symbols.h"

/* Events in the batches that tools read and engines are fed with. */
enum { SER_BATCH = 4096 };

typedef struct ser_reader ser_reader;

typedef struct ser_reader_options {
    bool skip_sites; /* every event gets SER_NO_SITE; faster where locations do not matter */
    bool keep;       /* make rewind possible for pipes, too */
} ser_reader_options;

ser_status ser_reader_open(ser_reader **reader, const char *path, const ser_reader_options *options,
                           ser_error *error);
void ser_reader_close(ser_reader *reader);

/* A trace in memory, which must outlive the reader; name is for messages. */
ser_status ser_reader_open_memory(ser_reader **reader, const void *bytes, size_t length,
                                  const char *name, ser_error *error);

/*
 * Fills batch with the next events, at most capacity. *count is 0 only at the
 * end of the trace. Events that are available are delivered without waiting for more.
 * Events before a bad place are delivered first; the error comes with the call
 * after them, whatever the capacity. Messages name the input and the place (line
 * or byte, and event number).
 */
ser_status ser_reader_next(ser_reader *reader, ser_event *batch, size_t capacity, size_t *count,
                           ser_error *error);

/* Back to the first event; numbers of names stay the same. skip_sites may be
 * changed for the new pass. */
ser_status ser_reader_rewind(ser_reader *reader, bool skip_sites, ser_error *error);

/* Passes over as many events of the trace as a checkpoint allows, more than `least` and at most
 * `most`, counted from the first: ser_reader_events then says how many. Of these `past` gets what
 * still matters (to be freed). Without such a checkpoint nothing happens, and *went is false. */
ser_status ser_reader_seek(ser_reader *reader, uint64_t least, uint64_t most, bool *went,
                           ser_past_events *past, ser_error *error);

/* The names met so far. Owned by the reader. */
ser_symbols *ser_reader_symbols(ser_reader *reader);
/* The same, now the caller's to destroy; after that the reader can only be closed. */
ser_symbols *ser_reader_take_symbols(ser_reader *reader);

/* Name of the format: "text", "native", "roadrunner". */
const char *ser_reader_format(const ser_reader *reader);

/* Information for the user that is not an error ("the file was cut short after event 65536: its
 * writer died"); NULL if there is none. Complete only once the end was read. */
const char *ser_reader_note(const ser_reader *reader);

void ser_reader_progress(const ser_reader *reader, uint64_t *done, uint64_t *total);

/* Events delivered since the start or the last rewind. */
uint64_t ser_reader_events(const ser_reader *reader);

/* --- for formats ------------------------------------------------------- */

/* What a format's functions work on. The reader facade owns all of it. */
typedef struct ser_format_context {
    ser_input *input;
    ser_symbols *symbols;
    bool skip_sites;
    uint64_t events; /* delivered before this call, for messages */
    char note[256];  /* see ser_reader_note; empty for nothing */
} ser_format_context;

/* For errors that do not belong to an event (data that end early, a line without end): the message
 * names the event before it. Returns status. */
ser_status ser_reader_name_place(ser_status status, uint64_t events, ser_error *error);

typedef enum ser_recognition { SER_FORMAT_NO, SER_FORMAT_YES, SER_FORMAT_PERHAPS } ser_recognition;

typedef struct ser_format {
    const char *name;
    /* Does a file that starts like this belong to the format? The answer may be "perhaps" only if
     * more bytes may follow. NULL: text, the format of all files that belong to no other. */
    ser_recognition (*recognise)(const uint8_t *head, size_t length, bool more);
    /* Creates the format's state at the start of the input. */
    ser_status (*open)(void **state, ser_format_context *context, ser_error *error);
    ser_status (*next)(void *state, ser_format_context *context, ser_event *batch, size_t capacity,
                       size_t *count, ser_error *error);
    void (*close)(void *state);
    /* How many events the last checkpoint after at most so many has before it; 0: there is none. Or
     * NULL: there are none at all. */
    uint64_t (*find)(void *state, uint64_t most);
    /* Right after open: to that checkpoint. */
    ser_status (*seek)(void *state, ser_format_context *context, uint64_t most,
                       ser_past_events *past, ser_error *error);
} ser_format;

extern const ser_format ser_format_text;       /* text_reader.c */
extern const ser_format ser_format_native;     /* native_reader.c */
extern const ser_format ser_format_roadrunner; /* roadrunner_reader.c */

#endif
