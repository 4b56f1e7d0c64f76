/* SPDX-License-Identifier: MIT */
/*
 * seriatim.h - the library: what the commands check, record, predict and replay of the program
 * seriatim do, for programs in C and C++. docs/library.md is an introduction, examples/library a
 * program that uses it.
 *
 * A monitor takes the events of a running program (or of a trace that is read)
 * one by one and says at once when the atomic blocks seen so far can no longer
 * be put one after another:
 *
 *     seriatim_monitor *monitor = seriatim_monitor_create(NULL, NULL);
 *     seriatim_monitor_event(monitor, 1, SERIATIM_BEGIN, SERIATIM_NO_OBJECT);
 *     seriatim_monitor_event(monitor, 1, SERIATIM_READ, (uintptr_t)&balance);
 *     seriatim_monitor_event(monitor, 2, SERIATIM_WRITE, (uintptr_t)&balance);
 *     if (seriatim_monitor_event(monitor, 1, SERIATIM_WRITE, (uintptr_t)&balance) ==
 *         SERIATIM_VIOLATION) ...
 *
 * The other way round, a program can be recorded, and its run asked for what could go wrong:
 *
 *     seriatim_record(&recording, &recorded, message, sizeof message);
 *     seriatim_run *run = seriatim_run_load("bank.srt", "auto", message, sizeof message);
 *     if (seriatim_predict(run, NULL, &prediction, message, sizeof message) ==
 *         SERIATIM_VIOLATION)
 *         seriatim_replay(prediction, 0, &replay, &replayed, message, sizeof message);
 *
 * Structures of options and results begin with their size, which the caller sets to sizeof: so
 * later versions can add fields at the end, and programs built with this one go on working. All
 * other fields may be 0, which is their standard value, unless it is said that they must be set.
 *
 * Functions that can fail take room for a message: size bytes, or NULL and 0. It says what
 * happened and where; it is empty if nothing did. Nothing is written to standard output, and to
 * standard error only by the recorded program.
 *
 * Nothing here is thread-safe: events must come in the order in which they
 * happened, so the caller puts them in order anyway; and one program is recorded at a time. When
 * memory runs out the process ends with a message. Link with `pkg-config --libs seriatim`.
 */
#ifndef SERIATIM_SERIATIM_H
#define SERIATIM_SERIATIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SERIATIM_API __attribute__((visibility("default")))

/* The version of this header; seriatim_version() says that of the library in use. Within one
 * major version a program works with every library that is not older than its header. */
#define SERIATIM_VERSION_MAJOR 0
#define SERIATIM_VERSION_MINOR 1
#define SERIATIM_VERSION_PATCH 0
#define SERIATIM_VERSION_NUMBER                                                                    \
    (SERIATIM_VERSION_MAJOR * 10000 + SERIATIM_VERSION_MINOR * 100 + SERIATIM_VERSION_PATCH)

/* "0.1.0", and the same as SERIATIM_VERSION_NUMBER has it. */
SERIATIM_API const char *seriatim_version(void);
SERIATIM_API int seriatim_version_number(void);

/* What functions return; also the exit codes of the program seriatim. */
enum {
    SERIATIM_OK = 0,
    SERIATIM_VIOLATION = 1,
    SERIATIM_USAGE = 2,
    SERIATIM_INPUT = 3, /* a trace that cannot be read, an event that does not fit */
    SERIATIM_UNDECIDED = 4,
    SERIATIM_INTERNAL = 5, /* a bug in seriatim */
    SERIATIM_PROGRAM_NOT_RUN = 126,
    SERIATIM_PROGRAM_NOT_FOUND = 127,
};

/* What an event does. Numbers never change; new ones come last. */
typedef enum seriatim_op {
    SERIATIM_SKIP,           /* takes no part, but counts as an event */
    SERIATIM_READ,           /* of a variable */
    SERIATIM_WRITE,          /* of a variable */
    SERIATIM_RMW,            /* atomic read-modify-write of a variable */
    SERIATIM_ACQUIRE,        /* of a lock; may be re-entrant */
    SERIATIM_RELEASE,        /* of a lock */
    SERIATIM_SHARED_ACQUIRE, /* of a reader-writer lock */
    SERIATIM_SHARED_RELEASE, /* of a reader-writer lock */
    SERIATIM_TRY_FAILED,     /* a try-acquire that found the lock taken */
    SERIATIM_FORK,           /* of a thread */
    SERIATIM_JOIN,           /* of a thread */
    SERIATIM_BEGIN,          /* of an atomic block; the object is a label, or none */
    SERIATIM_END,            /* of an atomic block */
    SERIATIM_WAIT,           /* on a condition */
    SERIATIM_NOTIFY,         /* of one waiter */
    SERIATIM_NOTIFY_ALL,     /* of all waiters */
    SERIATIM_ARRIVE,         /* at a barrier */
    SERIATIM_DEPART,         /* from a barrier */
    SERIATIM_POST,           /* of a semaphore */
    SERIATIM_TAKE,           /* a wait for a semaphore that succeeded */
    SERIATIM_CALL,           /* of a function */
    SERIATIM_RETURN,         /* from a function */
    SERIATIM_FREE,           /* of a variable's memory: a write */
} seriatim_op;

#define SERIATIM_NO_OBJECT UINT64_MAX /* begin and end without a label, skip */

/* --- monitoring -------------------------------------------------------- */

typedef struct seriatim_monitor seriatim_monitor;

/* A transaction: events first to last of a thread, a block or a single event.
 * Events are numbered from 1 in the order in which the monitor got them. */
typedef struct seriatim_transaction {
    uint64_t thread;
    uint64_t first, last;
} seriatim_transaction;

typedef struct seriatim_violation {
    uint64_t event;  /* at which the blocks stopped being serializable */
    uint64_t thread; /* of the violated block */
    uint64_t block;  /* number of the first event of the violated block */
    /* Each of these must come before the next one, and the last one before the
     * first. NULL where the engine does not keep track of it. */
    const seriatim_transaction *cycle;
    size_t cycle_length;
} seriatim_violation;

/*
 * engine is "summaries", "velodrome" or "aerodrome"; NULL is the first. atomic is
 * "markers" (begin and end events) or "locks" (spans in which a thread holds a
 * lock); NULL is the first. NULL is returned for any other word.
 */
SERIATIM_API seriatim_monitor *seriatim_monitor_create(const char *engine, const char *atomic);
SERIATIM_API void seriatim_monitor_destroy(seriatim_monitor *monitor);

/*
 * The next event. Threads and objects are named by any numbers, addresses say;
 * variables, locks, conditions and so on do not share names.
 *
 * SERIATIM_VIOLATION: a block that was not reported before is not serializable.
 * SERIATIM_INPUT: the event cannot have happened (a release of a lock that is
 * not held, say) and is ignored; seriatim_monitor_complaint says why.
 */
SERIATIM_API int seriatim_monitor_event(seriatim_monitor *monitor, uint64_t thread, seriatim_op op,
                                        uint64_t object);

/* The violations so far; valid until the next event. */
SERIATIM_API size_t seriatim_monitor_violation_count(const seriatim_monitor *monitor);
SERIATIM_API const seriatim_violation *seriatim_monitor_violation(const seriatim_monitor *monitor,
                                                                  size_t index);

/* How many events were ignored, and what was wrong with the first. */
SERIATIM_API uint64_t seriatim_monitor_ignored(const seriatim_monitor *monitor);
SERIATIM_API const char *seriatim_monitor_complaint(const seriatim_monitor *monitor);

/* --- traces ------------------------------------------------------------ */

typedef struct seriatim_trace seriatim_trace;

/* thread and object are numbers that a monitor can be given as they are. Texts
 * are valid as long as the trace is open. */
typedef struct seriatim_event {
    uint64_t number;
    seriatim_op op;
    uint64_t thread, object;
    const char *thread_name, *object_name; /* "" for no object */
    const char *location;                  /* "" where it is not known */
} seriatim_event;

/*
 * Opens a trace file ("-" is standard input): text, native or RoadRunner log,
 * plain or compressed. Returns NULL on failure; then message, which has room
 * for size bytes and may be NULL, says why.
 */
SERIATIM_API seriatim_trace *seriatim_trace_open(const char *path, char *message, size_t size);
SERIATIM_API void seriatim_trace_close(seriatim_trace *trace);

/* 1: *event is the next event; 0: the trace ended; -1: it is damaged or breaks a
 * rule, and seriatim_trace_problem says where. */
SERIATIM_API int seriatim_trace_next(seriatim_trace *trace, seriatim_event *event);
SERIATIM_API const char *seriatim_trace_problem(const seriatim_trace *trace);

/* --- recording --------------------------------------------------------- */

typedef struct seriatim_record_options {
    size_t size;          /* to be set */
    char *const *command; /* to be set: the program and its arguments; NULL ends them. It must
                             have been built with seriatim cc or seriatim c++ */
    const char *trace;    /* to be set: the file to write */
    const char *settings; /* of the recorder, "scheduler=random:seed=7"; seriatim record
                             --runtime help=1 -- true lists them */
    const char *limit;    /* what to record at most, "10M,30s", as for seriatim record --limit */
    const char *output;   /* file for what the program prints; NULL: where the caller prints */
    double seconds;       /* after which the program is ended; 0: never */
    int parallel;         /* its threads run at once, instead of one at a time */
} seriatim_record_options;

typedef struct seriatim_recorded {
    size_t size;     /* to be set */
    int status;      /* the program's exit status, or 128 plus the signal that ended it */
    int signal;      /* 0: none ended it */
    int deadlock;    /* all its threads waited for one another, and it was ended */
    int overran;     /* it took longer than it may, and was ended */
    uint64_t events; /* in the trace */
} seriatim_recorded;

/*
 * Runs a program and writes a trace of it. SERIATIM_OK if there is a trace, however the program
 * ended; SERIATIM_INPUT if there is none: it is not instrumented, or nothing can be written.
 * While it runs, SIGCHLD and the signals that end processes are handled here; signals for the
 * caller are passed on to the program.
 */
SERIATIM_API int seriatim_record(const seriatim_record_options *options,
                                 seriatim_recorded *recorded, char *message, size_t size);

/* --- prediction -------------------------------------------------------- */

/* A trace in memory. */
typedef struct seriatim_run seriatim_run;

/* What is atomic: "markers", "locks", "functions", "auto", or a file of function names, as for
 * seriatim predict --atomic; NULL is "markers". Returns NULL on failure. */
SERIATIM_API seriatim_run *seriatim_run_load(const char *path, const char *atomic, char *message,
                                             size_t size);
/* After all predictions of it. */
SERIATIM_API void seriatim_run_destroy(seriatim_run *run);

SERIATIM_API uint64_t seriatim_run_events(const seriatim_run *run);
SERIATIM_API uint64_t seriatim_run_blocks(const seriatim_run *run);

typedef struct seriatim_predict_options {
    size_t size;        /* to be set */
    const char *engine; /* "states", "dpor", "smt", ...; NULL: whichever answers first */
    double timeout;     /* seconds for one block; 0: 60 */
    uint64_t memory;    /* bytes for the search of one block; 0: half of the machine's, divided
                           by the number of jobs */
    unsigned jobs;      /* blocks at the same time; 0: as many as there are cores */
    uint64_t block;     /* only the block that begins with this event; 0: all */
} seriatim_predict_options;

/* Numbers never change; new ones come last. */
typedef enum seriatim_verdict {
    SERIATIM_BLOCK_UNKNOWN,  /* time or memory ran out */
    SERIATIM_BLOCK_STATIC,   /* no interleaving violates it; proven without a search */
    SERIATIM_BLOCK_NONE,     /* no interleaving violates it; searched in full */
    SERIATIM_BLOCK_VIOLATED, /* an interleaving does */
} seriatim_verdict;

/* An atomic block of the run. Texts and numbers are valid as long as the prediction. */
typedef struct seriatim_block {
    size_t size;          /* to be set */
    uint64_t first, last; /* its events; last is 0 if it is open at the end of the trace */
    const char *thread;   /* "T1" */
    const char *location; /* where it begins; "" if that is not known */
    seriatim_verdict verdict;
    /* Of a violated one: the interleaving, as numbers of events of the run. */
    const uint32_t *order;
    size_t order_length;
} seriatim_block;

typedef struct seriatim_prediction seriatim_prediction;

/*
 * Can another interleaving of the run violate a block? The options may be NULL.
 * SERIATIM_VIOLATION: yes; SERIATIM_OK: none can; SERIATIM_UNDECIDED: none was found, and some
 * block is unknown. In these cases *prediction is to be destroyed, else it is NULL.
 */
SERIATIM_API int seriatim_predict(seriatim_run *run, const seriatim_predict_options *options,
                                  seriatim_prediction **prediction, char *message, size_t size);
SERIATIM_API void seriatim_prediction_destroy(seriatim_prediction *prediction);

/* The blocks that were looked at, in the order of the run. SERIATIM_USAGE if the index is not
 * below the count. */
SERIATIM_API size_t seriatim_prediction_count(const seriatim_prediction *prediction);
SERIATIM_API int seriatim_prediction_block(const seriatim_prediction *prediction, size_t index,
                                           seriatim_block *block);

/* Writes the interleaving of a violated block as a schedule, for seriatim replay --schedule. */
SERIATIM_API int seriatim_prediction_save(const seriatim_prediction *prediction, size_t index,
                                          const char *path, char *message, size_t size);

/* --- replay ------------------------------------------------------------ */

typedef struct seriatim_replay_options {
    size_t size;          /* to be set */
    char *const *command; /* to be set: the program that the run was recorded from */
    const char *trace;    /* to be set: file for the trace of the replay */
    const char *output;   /* file for what the program prints; NULL: where the caller prints */
    unsigned attempts;    /* if the program does something else; 0: 3 */
    double seconds;       /* after which the program is ended; 0: 600 */
    double grace;         /* seconds that it may go on after the schedule; 0: 10 */
    int no_inputs;        /* it does not get the time, random numbers and so on of the recording */
} seriatim_replay_options;

typedef struct seriatim_replayed {
    size_t size; /* to be set */
    int status;  /* as in seriatim_recorded */
    int signal;
    int deadlock;
    unsigned attempts; /* that were made */
    uint64_t event;    /* of the run, at which the program did something else; 0: none */
    char reason[256];  /* why the violation was not shown; empty if it was */
} seriatim_replayed;

/*
 * Forces the program through the interleaving of a violated block. The replay is itself recorded,
 * and the violation counts as shown only if that trace has it.
 * SERIATIM_VIOLATION: it was shown; SERIATIM_OK: the schedule was followed, but the block was
 * not violated; SERIATIM_UNDECIDED: the program did something else, as the result says.
 */
SERIATIM_API int seriatim_replay(seriatim_prediction *prediction, size_t index,
                                 const seriatim_replay_options *options,
                                 seriatim_replayed *replayed, char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
