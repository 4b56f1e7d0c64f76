/* SPDX-License-Identifier: MIT */
/*
 * sample.h - a random trace with the right answers for all its blocks, and the trials
 * that compare others' answers with them.
 */
#ifndef SER_ORACLE_SAMPLE_H
#define SER_ORACLE_SAMPLE_H

#include "avp_search.h"
#include "predict/search.h"
#include "random_trace.h"

enum { CRITERIA = 2 }; /* path, serializability */

typedef struct sample_block {
    avp_answer answer[CRITERIA];
    avp_order witness[CRITERIA];
} sample_block;

typedef struct sample {
    uint64_t seed;
    const char *atomic;
    bool large;        /* answered by an engine, not by brute force */
    event_list events; /* marked; events.items[0] is event 1 */
    ser_reads reads;   /* of the world, where reads may change */
    bool by_value;     /* in the model `data`: the rules follow from values */
    avp_world world;
    sample_block blocks[AVP_MOST_BLOCKS];
} sample;

typedef enum sample_status { SAMPLE_READY, SAMPLE_ILL_FORMED, SAMPLE_TOO_LARGE } sample_status;

/* Unless the sample is ready, there is nothing to finish. */
sample_status sample_init(sample *s, const event_list *raw, const char *atomic, uint64_t seed,
                          bool large);
void sample_fini(sample *s);

/* What a trial found wrong. */
typedef struct difference {
    char text[4096];
} difference;

/* Writes the text; true, for `return differ(...)`. */
bool differ(difference *found, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends an order in brackets. */
void describe_order(difference *found, const char *what, const uint32_t *order, size_t count);

extern const char *const criterion_names[CRITERIA];

typedef struct trial trial;

struct trial {
    const char *name;
    /* True, with a text, if there is a difference. */
    bool (*fails)(const trial *t, const sample *s, difference *found);
    const void *subject; /* what is tried, if one function tries several */
    bool large;          /* also for large samples */
};

/* The memory of the brute force against none at all. */
extern const trial trial_naive;
/* The checker of witnesses against the definition: witnesses, orders that went wrong,
 * and all orders of tiny traces. A subject is an alteration of the events that the
 * checker sees. */
typedef void (*event_alteration)(ser_event *event);
extern const trial trial_witnesses, trial_orders, trial_all_orders;

/* What is found for all blocks at once against what is found for each. */
extern const trial trial_static;

/* The rules for reads of the model data. */
extern const trial trial_rules;

/* Prediction with each of the search engines, in all settings; the first is the tests' own, the
 * last all of them in turns. */
extern const trial trial_tasks;
#define SER_X(name, help) extern const trial trial_##name;
SER_SEARCH_ENGINES(SER_X)
#undef SER_X
extern const trial trial_auto;
/* The same with a bound on switches, with bit-vectors, and with another solver, if one
 * is named. */
extern const trial trial_switches, trial_smt_bits, trial_solver;
extern const char *solver_command;

/* Without the events that cannot matter (order/users.h). */
extern const trial trial_sifted;

/* In windows (stream/windows.h). */
extern const trial trial_windows;

/* First in what is near a block (predict/decide/nearby.c). */
extern const trial trial_near;

/* The checker from a checkpoint on (witness/from_checkpoint.h). */
extern const trial trial_checkpoints;

/* Blocks decided in parts (split_trial.c). */
extern const trial trial_split;

/* Models, stages and candidates beside one another. */
extern const trial trial_models;

/* The command with that path, if there is one, and its JSON. */
extern const trial trial_command;
extern const char *command_path;

/* Answers all blocks of a large sample by one engine; false if it does not know. */
bool answer_by_engine(sample *s);

/* Does the order violate that block, by the definition and by the checker? Says why not. */
bool is_witness(const sample *s, size_t block, int criterion, const uint32_t *order, size_t count,
                difference *found);

#endif
