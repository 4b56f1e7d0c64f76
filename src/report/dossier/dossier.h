/* SPDX-License-Identifier: MIT */
/*
 * dossier.h - the one description of what was found, from which every report is made: what
 * happened, in which threads, where, with which values, how certain it is, and how to see it again.
 *
 *     ser_dossier dossier = {0};
 *     status = ser_dossier_add(&dossier, tree, error);       a result.json, or several
 *     ser_dossier_draw(&dossier, entry, run, &witness);      where there is a trace
 *     ser_dossier_finish(&dossier);
 *     give it to a writer of report/dossier_formats.h
 *     ser_dossier_fini(&dossier);
 *
 * An entry is a distinct bug: a violated block, or a failure (a deadlock, a crash). What
 * result.json says of it is enough for an entry; with the trace and the interleaving it gets a
 * picture, and values. Names are as they were recorded: code that prints them escapes them.
 *
 * Memory: texts belong to the dossier, or to the JSON it was made of, which it takes over. Runs
 * must outlive it. Not thread-safe.
 */
#ifndef SER_REPORT_DOSSIER_DOSSIER_H
#define SER_REPORT_DOSSIER_DOSSIER_H

#include <stdio.h>

#include "base/json_tree.h"
#include "bugs/own_code.h"
#include "order/run.h"
#include "report/dossier/plain_names.h"

enum {
    SER_STEP_HAS_VALUE = 1, /* value is what it reads or writes in this order, for certain */
    SER_STEP_ON_PATH = 2,   /* one of the accesses that show the violation */
    SER_STEP_CHANGED = 4,   /* reads another write than in the recorded run */
    SER_STEP_IN_BLOCK = 8,
    SER_STEP_HAD_VALUE = 16, /* was: see there */
};

/* A step of an interleaving. */
typedef struct ser_picture_step {
    uint32_t event;  /* its number in the trace */
    uint32_t writer; /* the event that wrote what it reads; 0: none in the trace, or no read */
    uint64_t value;
    uint64_t was; /* of a changed read: what it read in the recorded run */
    uint8_t flags;
} ser_picture_step;

typedef struct ser_picture {
    const ser_run *run; /* NULL: there is no picture */
    const ser_plain_names *names;
    uint32_t block; /* index in run->blocks; SER_NO_OBJECT: a failure, which has none */
    SER_VECTOR(ser_picture_step) steps;
    ser_event_list path; /* events, in the order of the conflict path; empty: a failure */
} ser_picture;

/* One of the accesses that show a violation, in their order. */
typedef struct ser_entry_access {
    const char *thread, *operation, *variable;
    const char *recorded;            /* the variable's name in the trace */
    const char *function, *location; /* may be empty */
    const char *value, *was;         /* "" where not known; `was` only of changed reads */
    bool in_block, changed;
    bool is_write;
} ser_entry_access;

/* A place with the same cause, or where something follows from the entry. */
typedef struct ser_entry_other {
    const char *id, *function, *location; /* the last two may be empty */
    const char *interferer;               /* the function that comes between; may be empty */
    bool follows;
} ser_entry_other;

typedef struct ser_entry {
    const char *kind;   /* "atomicity", or that of the failure: "deadlock", ... */
    const char *id;     /* stays from run to run, and when other code changes */
    const char *status; /* "observed", "predicted", "confirmed", "not confirmed" */
    const char *reason; /* of "not confirmed": "refuted", "untested"; may be empty */
    const char *model;  /* NULL: of failures */
    const char *atomic; /* "markers", "locks", "functions", "compounds", "rounds"; NULL: failure */
    const char *label, *function, *file; /* of the block; may be empty */
    uint64_t line;                       /* 0: not known */
    const char *location;                /* "bank.c:44"; may be empty */
    const char *title;                   /* "total (bank.c:44) is not atomic" */
    const char *lead;                    /* what happens, in words, with values */
    const char *advice;                  /* what to change in the code; NULL: not known */
    const char *certainty;               /* why it is known, a sentence */
    const char *consequence;             /* what it did to the program; NULL: not known */
    const char *memory_error;            /* "use after free", ...; NULL: none */
    const char *replay;                  /* command that shows it again; NULL: none is known */
    const char *trace, *schedule;        /* files; NULL: none */
    const char *given_atomic;            /* --atomic of its result; NULL: it had none */
    const char *program;                 /* command line; "": not known */
    size_t result;                       /* which of the results it is from */
    SER_VECTOR(size_t) results;          /* all that have it */
    const char *also;                    /* programs of the others; NULL: none */
    uint64_t block;                      /* first event of the violated block; 0: none */
    uint64_t blocks;                     /* violated blocks that are this bug */
    SER_VECTOR(const char *) variables;  /* kinds of variables: no instances */
    SER_VECTOR(const char *) waits;      /* of a deadlock: which thread waits where for what */
    const ser_json_node *failure;        /* what the result says of a failure; NULL: it is none */
    SER_VECTOR(ser_entry_access) accesses;
    SER_VECTOR(ser_entry_other) others;
    ser_picture picture;
} ser_entry;

/* A run of the program. */
typedef struct ser_dossier_run {
    const char *trace, *schedule, *program;
    size_t result; /* which of the results it is from */
    uint64_t events, threads, locks, variables, blocks, undecided, skipped;
    uint64_t proven, searched, violated;     /* blocks, by what prediction said of them */
    const ser_json_node *settled, *segments; /* blocks by engine, and by the bits of their sizes */
    uint64_t orders; /* of conflicting places, seen up to this run; 0: not counted */
    bool deadlock, partial;
    const char *refused; /* why the trace could not be read or analysed; NULL: it could */
    uint64_t exit, signal;
} ser_dossier_run;

typedef struct ser_dossier_names { /* plain names of a run */
    const ser_run *run;
    ser_plain_names *names;
} ser_dossier_names;

/* More findings are of no use to anybody, but files from outside may have them. */
enum { SER_DOSSIER_MOST = 5000 };

typedef struct ser_dossier {
    SER_VECTOR(ser_entry) entries;
    SER_VECTOR(ser_dossier_run) runs;
    SER_VECTOR(const char *) verdicts; /* one a result */
    SER_VECTOR(ser_json_tree *) trees; /* that texts belong to */
    SER_VECTOR(char *) texts;          /* further ones */
    SER_VECTOR(ser_dossier_names) names;
    uint64_t suppressed; /* entries that were taken out */
    uint64_t omitted;    /* entries beyond SER_DOSSIER_MOST */
    bool shows_stacks;   /* also as text: other formats have them anyway */
} ser_dossier;

/* An interleaving of a run that shows a violation. */
typedef struct ser_dossier_witness {
    uint32_t block; /* first event of the violated block; 0: none, it is a run that failed */
    const ser_event_list *order;
    const uint32_t *path, *changed;
    size_t path_count, changed_count;
} ser_dossier_witness;

/* Takes the tree over, also if it fails: SER_INPUT if it is no result of run or explore. */
ser_status ser_dossier_add(ser_dossier *dossier, ser_json_tree *tree, ser_error *error);

/* Where its trace and schedule (or NULL) are now; the command that shows it again says so. */
void ser_dossier_place_files(ser_dossier *dossier, size_t entry, const char *trace,
                             const char *schedule);

/* A picture by itself; names and run must outlive it. SER_INPUT if the witness is none of this
 * run. */
ser_status ser_picture_make(ser_picture *picture, const ser_run *run, const ser_plain_names *names,
                            const ser_dossier_witness *witness, ser_error *error);
void ser_picture_fini(ser_picture *picture);

/* SER_INPUT if the witness is none of this run. */
ser_status ser_dossier_draw(ser_dossier *dossier, size_t entry, const ser_run *run,
                            const ser_dossier_witness *witness, ser_error *error);

/* Takes all entries out but those with that id. */
void ser_dossier_keep_only(ser_dossier *dossier, const char *id);

/* Entries of several results that are the same bug become one. */
void ser_dossier_unite(ser_dossier *dossier);
bool ser_entry_is_of(const ser_entry *entry, size_t result);

/* Its command line, or its trace where there was no program. */
const char *ser_dossier_program_of(const ser_dossier *dossier, size_t result);

/* For writers: is there an entry of this index, and still time to write it? */
bool ser_dossier_may_write(const ser_dossier *dossier, size_t entry);

/* Once it was written: says so if part of it was not. */
void ser_dossier_warn_if_cut(const ser_dossier *dossier);

/* Once all is there: the words. */
void ser_dossier_finish(ser_dossier *dossier);

void ser_dossier_fini(ser_dossier *dossier);
void ser_entry_fini(ser_entry *entry);

/* What the block is called; and the sentence that starts the entry of a violation, made of label,
 * function, atomic, accesses and memory_error. To be freed. */
char *ser_entry_block_name(const ser_entry *entry);
char *ser_entry_make_lead(const ser_entry *entry);

/* What the order of the accesses means: a sentence, which belongs to the lead. */
void ser_entry_write_meaning(const ser_entry *entry, FILE *file);

/* "reads queue->head = 0, which T2 had written at q.c:19": an event as it was recorded. To be
 * freed. */
char *ser_describe_step(const ser_run *run, const ser_plain_names *names, uint32_t event);

/* The sentences of a failure: what happened, and where it parts from a good run. To be freed. */
char *ser_failure_title(const ser_entry *entry);
char *ser_failure_lead(const ser_entry *entry);

/* "violation", "undecided" or "none", of all results together. */
const char *ser_dossier_verdict(const ser_dossier *dossier);

/* The dossier owns the text from now on. */
const char *ser_dossier_keep(ser_dossier *dossier, char *text);

/* "-30", "0x7fff12345678": as a programmer would like to see the bits of a value whose type is not
 * known. To be freed. */
char *ser_describe_value(uint64_t value);

/* Is the entry certain enough for --fail-on confirmed: seen in the real program? */
bool ser_entry_was_seen(const ser_entry *entry);

#endif
