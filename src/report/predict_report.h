/* SPDX-License-Identifier: MIT */
/*
 * predict_report.h - what `seriatim predict` found, for people and for programs.
 */
#ifndef SER_REPORT_PREDICT_REPORT_H
#define SER_REPORT_PREDICT_REPORT_H

#include "order/numbering.h"
#include "predict/candidates.h"
#include "predict/predict.h"
#include "predict/shard.h"
#include "predict/values/read_counts.h"
#include "report/describe.h"

typedef struct ser_predict_report {
    const char *path;      /* of the trace, as given; "-" for standard input */
    const char *partial;   /* why the work ended early; NULL: it did not */
    const char *atomic;    /* what --atomic said; NULL: nothing */
    const char *schedules; /* folder with one schedule per violation; NULL: none were written */
    const bool *unwritten; /* by result: its schedule could not be written; NULL: all could */
    bool serializability;  /* the criterion; neither of the two: path */
    bool triples;          /* the same: three accesses, which are a path, too */
    bool verbose;          /* report every violation in full, and list all blocks */
    ser_trace_size size;
    ser_shard shard;  /* which part of the blocks this is; 0 of 0: all of them */
    ser_shard part;   /* of the ways to violate each block (predict.h); 0 of 0: all of them */
    const char *task; /* of a shard or part: what it is a part of, as a word; else NULL */
    /* A result of a window alone (stream/windows.h): first and last event, 0: of the whole run. */
    uint64_t window_first, window_last;
    const ser_number_list *waiting; /* of a window: waits before it that its order has, too */
    const ser_prediction *prediction;
    const ser_candidate_list *candidates; /* NULL: they were not asked for */
    const ser_read_counts *reads;         /* that `guards` follows, or not; NULL: another model */
    bool only_notable;                    /* in the JSON, of the blocks */
    bool is_brief;                        /* the JSON is: there is no time left */
} ser_predict_report;

/* How many blocks ended how. */
typedef struct ser_predict_summary {
    uint64_t blocks;
    uint64_t verdicts[SER_VERDICT_VIOLATION + 1];
    uint64_t proofs[SER_STATIC_TWO_PHASE + 1];
    uint64_t reasons[SER_REASON_WINDOW + 1]; /* of unknown ones */
    uint64_t segments;                       /* blocks that have one */
    uint64_t segment_events;                 /* of all of these together */
    ser_triple_counts triples;               /* of all blocks */
} ser_predict_summary;

ser_predict_summary ser_predict_summarise(const ser_prediction *prediction);

/* Readable; the last line is the verdict. */
void ser_predict_report_text(const ser_predict_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_predict_report_json(const ser_predict_report *report, ser_json *json);

enum { SER_PREDICT_PATH_SIZE = 4200 };

/* The number of the block's first event in the trace. */
static inline uint64_t ser_predict_begin(const ser_predict_report *report,
                                         const ser_block_result *result)
{
    const ser_run *run = report->prediction->run;
    return ser_run_number(run, run->blocks.items[result->block].begin);
}

/* The event before which everything happens as observed, and is not in the witness; 0: there is
 * none. */
static inline uint64_t ser_predict_start(const ser_predict_report *report,
                                         const ser_block_result *result)
{
    return result->start ? ser_run_number(report->prediction->run, result->start)
                         : report->window_first;
}

/* The file of a violation's schedule: "DIR/block-4.schedule". */
void ser_predict_schedule_path(const char *folder, uint64_t begin,
                               char path[SER_PREDICT_PATH_SIZE]);

/* The same of the block's further triples, from 1 on: "DIR/block-4-triple-1.schedule". */
void ser_predict_triple_path(const char *folder, uint32_t begin, uint32_t number,
                             char path[SER_PREDICT_PATH_SIZE]);

/* The same of a candidate's: "DIR/candidate-4.schedule". */
void ser_predict_candidate_path(const char *folder, uint32_t begin,
                                char path[SER_PREDICT_PATH_SIZE]);

/* --- parts of the text ---------------------------------------------------- */

/* In words, and as an interleaving. */
void ser_predict_print_violation(const ser_predict_report *report, const ser_block_result *result,
                                 size_t number, FILE *file);

/* A table of the summary, which has blocks. */
void ser_predict_print_summary(const ser_predict_summary *summary, uint64_t events, FILE *file);

/* A table of how many triples of accesses are potential, possible and real. */
void ser_predict_print_triples(const ser_triple_counts *counts, FILE *file);

/* Reads that the model guards follows, and why not the others. */
void ser_predict_print_reads(const ser_read_counts *counts, FILE *file);

/* A line for each block: its verdict, the engine that decided it, and the effort. */
void ser_predict_print_blocks(const ser_predict_report *report, FILE *file);

/* "block 4-9 of thread T1 (transfer, bank.c:31)" */
void ser_predict_print_heading(const ser_predict_report *report, const ser_block_result *result,
                               FILE *file);

/* Describes the violation in words, event by event. */
void ser_predict_print_path(const ser_predict_report *report, const ser_block_result *result,
                            FILE *file);

/* The interleaving: a column per thread, a line per event; what is far from the violation is
 * folded. */
void ser_predict_print_witness(const ser_predict_report *report, const ser_block_result *result,
                               FILE *file);

/* Each in words, and how many there are. They must have been asked for. */
void ser_predict_print_candidates(const ser_predict_report *report, FILE *file);

/* --- parts of the JSON ------------------------------------------------------ */

/* The fields of a block: which one, where it is, and what deciding it took. */
void ser_predict_write_block(const ser_predict_report *report, ser_json *json,
                             const ser_block_result *result);

/* How many blocks ended how, with its key. */
void ser_predict_write_summary(ser_json *json, const uint64_t verdicts[SER_VERDICT_VIOLATION + 1],
                               const ser_triple_counts *triples);

/* One of "blocks". */
void ser_predict_write_result(const ser_predict_report *report, ser_json *json,
                              const ser_block_result *result);

/* Is the block written where only notable ones are? */
bool ser_predict_is_notable(const ser_block_result *result);

/* With its key: how many are not written, of the unknown ones so many that are bounded. */
void ser_predict_write_left_out(ser_json *json, const uint64_t verdicts[SER_VERDICT_VIOLATION + 1],
                                uint64_t bounded);

/* With its key. */
void ser_predict_write_witness(ser_json *json, const ser_predict_report *report,
                               const ser_block_result *result);
void ser_predict_write_candidates(const ser_predict_report *report, ser_json *json);

#endif
