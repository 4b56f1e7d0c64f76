/* SPDX-License-Identifier: MIT */
/*
 * bugs.h - distinct bugs, gathered from what was found in one or more traces. The main
 * header of src/bugs.
 *
 * One mistake in a program violates many blocks, since the same code runs many times. Two
 * violations are the same bug if the blocks are the same code, and the variables involved and the
 * functions that interfere are the same, or in one of them a part of those in the other. A bug's id
 * is made of these without line numbers and addresses, so that it stays the same when unrelated
 * code changes. Bugs of different code with one cause (causes.h) are one entry of the list: the
 * most certain of them, which has the others; so are bugs that follow from another one (follows.h),
 * and most of those in one block (sides.h).
 *
 * Bugs own all their texts and need neither trace nor run any more. Not thread-safe.
 */
#ifndef SER_BUGS_BUGS_H
#define SER_BUGS_BUGS_H

#include "base/vector.h"
#include "monitor/explain.h"
#include "predict/predict.h"

/* How certain it is, the most certain last. */
typedef enum ser_bug_status {
    SER_BUG_PREDICTED,     /* another interleaving of a recorded run has it */
    SER_BUG_NOT_CONFIRMED, /* the same, and the program could not be forced into it */
    SER_BUG_OBSERVED,      /* a recorded run has it */
    SER_BUG_CONFIRMED,     /* the program was forced into it */
} ser_bug_status;

/* How certain is it that the block was meant to be atomic? */
typedef enum ser_intention {
    SER_INTENTION_MARKED,   /* it was said so */
    SER_INTENTION_LOCKED,   /* a lock was held */
    SER_INTENTION_FUNCTION, /* it is one function */
    SER_INTENTION_COMPOUND, /* it is one assignment that reads and writes a variable */
    SER_INTENTION_ROUND,    /* it is one round of a loop of a thread's first function */
    SER_INTENTION_CHECKED,  /* it writes a variable by what it has read of it */
    SER_INTENTION_WHOLE,    /* it is all that a thread does, and what it does is felt */
} ser_intention;

/* An access that shows the violation, in the order of the violation. */
typedef struct ser_bug_access {
    uint32_t event;                                /* of the trace that it was found in */
    char *thread, *variable, *function, *location; /* the last two may be empty */
    char *plain;           /* the variable as the source has it; NULL: not known */
    const char *operation; /* "reads", "writes", ... */
    uint32_t line; /* of the block's own function, perhaps of the call that makes the access;
                      0: not in the block, or not known */
    bool in_block;
    bool frees;  /* the variable's memory */
    bool broken; /* reads another value than in the recorded run */
} ser_bug_access;

/* How the program ended when it was forced into a violation, if not as in the first run. */
typedef struct ser_ending {
    bool differs;
    bool deadlock;
    int signal; /* that ended it; 0: none */
    int status; /* its exit status otherwise */
} ser_ending;

typedef struct ser_bug ser_bug;

struct ser_bug {
    ser_model model; /* of what was predicted */
    char id[24];
    ser_bug_status status;
    ser_intention intention;
    bool was_observed;                 /* in a recorded run, whatever came of replays */
    bool after_wait;                   /* the block is that part of a function's call */
    bool is_uncertain;                 /* relies on what is not certain (witness/reliance.h) */
    bool is_careful;                   /* no data race shows it, and nothing is overwritten */
    bool is_guessed;                   /* nobody meant the block (session/run/judge/meant.h) */
    bool was_felt;                     /* the program did something else in a replay */
    bool is_named;                     /* the function was named as atomic */
    bool is_minor;                     /* nobody has to fix it; `consequence` says why */
    char *label, *function, *location; /* of the block; empty where not known */
    /* The innermost function that makes all of the block's accesses; NULL: it is the block's.
     * Ranking puts it in the place of the above. */
    char *inner_function, *inner_location;
    char *check, *act;            /* of one that looks and then acts: the functions that do so;
                                     NULL: it is none, or it does both itself */
    SER_VECTOR(char *) variables; /* names without what distinguishes instances */
    SER_VECTOR(ser_bug_access) accesses;
    size_t trace;           /* which of the traces it was found in */
    uint32_t block;         /* the violated block's first event there */
    ser_event_list order;   /* the interleaving of that trace that shows it; empty: none */
    ser_event_list changed; /* its reads of different writes */
    char *schedule;         /* the same as a file; NULL: none (yet) */
    char *lead;             /* what happens, in words; not escaped; NULL: not known */
    char *advice;           /* what to change in the code; not escaped; NULL: not known */
    char *lock;             /* that is to be held for that; NULL: a new one, or another remedy */
    char *interleaving;     /* readable picture of it; NULL: none */
    char *consequence;      /* what it did to the program, or why it was not confirmed; NULL: it
                               was not tried */
    ser_ending ending;      /* confirmed: how the program ended then */
    const char *reason;     /* not confirmed: "refuted" or "untested"; else NULL */
    uint64_t blocks;        /* violated blocks that are this bug, in all traces */
    char *key; /* label, function, variables and interfering functions: what the id is made of */
    SER_VECTOR(char *) sides; /* the keys of those that were the same block, and became this one */
    char *follows; /* the key of the bug without which it does not happen; NULL: not known */
    SER_VECTOR(ser_bug)
    others; /* places with the same cause, and bugs that follow from it; they
               have no others */
};

typedef struct ser_bugs {
    SER_VECTOR(ser_bug) list;
    bool are_named; /* somebody has said which functions are atomic: these are to be blamed */
} ser_bugs;

void ser_bugs_fini(ser_bugs *bugs);
void ser_bug_fini(ser_bug *bug);

/*
 * Adds a violation that was predicted, or raises the count of a bug that is there.
 * The bug, until the next one is added; *is_new distinguishes the two cases.
 */
ser_bug *ser_bugs_add_predicted(ser_bugs *bugs, const ser_run *run, const ser_block_result *result,
                                size_t trace, bool *is_new);

/* The same with a violation of the observed run, explained as a cycle. */
ser_bug *ser_bugs_add_observed(ser_bugs *bugs, const ser_run *run, const ser_finding *finding,
                               size_t trace, bool *is_new);

/* Moves what is minor to another list. */
void ser_bugs_split(ser_bugs *bugs, ser_bugs *minor);

/* Sorts them for a reader, and gives them their ids: first what was seen in the program, then what
 * is certain but untested, then the rest; each by how certain the intention is, by status and by
 * frequency. One block that is violated in several ways, in the same variables or at the same
 * places, is one bug: the first of them stays. Bugs with one cause, or one block (sides.h), become
 * one of them. */
void ser_bugs_rank(ser_bugs *bugs);
/* For qsort: the order of the above. */
int ser_bug_by_interest(const void *a, const void *b);

/* How many different blocks of code the entry is about: its own and those of the others. */
size_t ser_bug_places(const ser_bug *bug);

/* Did the program show that it is none? Such ones are only counted. */
bool ser_bug_is_refuted(const ser_bug *bug);

/* "use after free" or "double free", if the violation shows one; else NULL. */
const char *ser_bug_memory_error(const ser_bug *bug);

const char *ser_bug_status_name(ser_bug_status status);

/* What a kind of block says about the intention. */
ser_intention ser_intention_of(ser_block_kind kind);

/* What made it a block, as --atomic calls it: "markers", ... */
const char *ser_intention_name(ser_intention intention);

#endif
