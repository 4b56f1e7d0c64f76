/* SPDX-License-Identifier: MIT */
/*
 * search.h - the callback table behind which every search engine stands.
 *
 * An engine decides a task (task.h): is there a run that violates the block? Its
 * answers `violation` and `none` are exact for the task; `unknown` names a reason.
 * Engines keep no state between calls and may run in several threads at once.
 */
#ifndef SER_PREDICT_SEARCH_H
#define SER_PREDICT_SEARCH_H

#include <stdatomic.h>

#include "base/vector.h"
#include "predict/task/task.h"

typedef enum ser_outcome { SER_NO_VIOLATION, SER_VIOLATED, SER_UNKNOWN } ser_outcome;

typedef enum ser_reason {
    SER_REASON_NONE,
    SER_REASON_TIME,
    SER_REASON_MEMORY,
    SER_REASON_SWITCHES, /* nothing found within the bound on context switches */
    SER_REASON_SOLVER,   /* the solver failed or gave up */
    SER_REASON_INTERRUPTED,
    SER_REASON_VALUES, /* what was found does not happen with the values that it would have */
    SER_REASON_WINDOW, /* nothing found within a part of the trace (stream/windows.h) */
} ser_reason;

typedef enum ser_criterion {
    SER_CRITERION_PATH,
    SER_CRITERION_SERIALIZABILITY,
    SER_CRITERION_TRIPLE, /* ser_search_triple */
} ser_criterion;

/* Three accesses of one variable, as steps: the first and the last of the block, the other of
 * another thread, and if they happen in that order they cannot be put in a serial one (triples.h).
 */
typedef struct ser_search_triple {
    uint32_t from, remote, to;
} ser_search_triple;

typedef struct ser_search_options {
    ser_criterion criterion;
    ser_search_triple triple; /* of SER_CRITERION_TRIPLE: happens in that order. Only the engines
                                 `smt` and saturation decide that */
    double deadline;          /* by ser_clock_work; 0: none */
    bool hurries;      /* end with SER_REASON_TIME once it is clear that the deadline will pass */
    size_t memory;     /* bytes an engine may use; 0: no limit */
    uint32_t switches; /* bound on insignificant context switches; UINT32_MAX: none */
    const atomic_bool *stop;    /* ends the search soon after it becomes true; may be NULL */
    bool smt_bits;              /* order variables as bit-vectors instead of integers */
    const char *solver_command; /* an SMT-LIB 2 solver to run as a child; NULL: Z3 in process */
    const char *dump;           /* folder for formulas; NULL: they are not kept */
} ser_search_options;

typedef struct ser_answer {
    ser_outcome outcome;
    ser_reason reason;          /* of SER_UNKNOWN */
    SER_VECTOR(uint32_t) order; /* of SER_VIOLATED: steps in the order they happen */
    uint64_t explored;          /* interleavings or states looked at */
    uint64_t constraints;       /* of an SMT formula */
} ser_answer;

typedef struct ser_search_engine {
    const char *name;
    void (*run)(const ser_task *task, const ser_search_options *options, ser_answer *answer);
} ser_search_engine;

/*
 * The engines that --engine can name: each in its folder, and what the help says about it. Feeds
 * the command line, its help and manual page, and the tests; portfolio.c says which of them `auto`
 * uses, and when.
 */
#define SER_SEARCH_ENGINES(X)                                                                      \
    X(states, "reachability over hashed states")                                                   \
    X(dpor, "partial order reduction without states")                                              \
    X(smt, "one formula for a solver")

#define SER_X(name, help) extern const ser_search_engine ser_search_##name;
SER_SEARCH_ENGINES(SER_X)
#undef SER_X

/* All of them; NULL-terminated. */
extern const ser_search_engine *const ser_search_engines[];

/* The engine with that name, or NULL. */
const ser_search_engine *ser_search_engine_by_name(const char *name);

/* Is the time over, or was a stop asked for? Sets the reason. */
bool ser_search_must_stop(const ser_search_options *options, ser_reason *reason);

void ser_answer_fini(ser_answer *answer);

#endif
