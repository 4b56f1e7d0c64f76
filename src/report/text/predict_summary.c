/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/output/print.h"
#include "report/predict_report.h"

enum { NAME_WIDTH = 20, NUMBER_WIDTH = 10 };

static const char *proof_words(ser_static_proof proof)
{
    switch (proof) {
    case SER_STATIC_OPEN:
        break;
    case SER_STATIC_FEW_ACCESSES:
        return "few accesses";
    case SER_STATIC_NO_CONFLICTS:
        return "no conflicts";
    case SER_STATIC_LOCKED:
        return "locked out";
    case SER_STATIC_NO_PATH:
        return "no way back";
    case SER_STATIC_TWO_PHASE:
        return "two-phase locked";
    }
    return "";
}

/* Rows of zero are left out, but for those of the verdicts. */
static void print_row(FILE *file, int indent, const char *name, uint64_t count,
                      const ser_predict_summary *summary)
{
    ser_print(file, "%*s%-*s%*" PRIu64 "%8.1f%%\n", indent, "", NAME_WIDTH - indent, name,
              NUMBER_WIDTH, count, 100.0 * (double)count / (double)summary->blocks);
}

static void print_part(FILE *file, const char *name, uint64_t count,
                       const ser_predict_summary *summary)
{
    if (count)
        print_row(file, 6, name, count, summary);
}

static void print_unknown(const ser_predict_summary *summary, FILE *file)
{
    print_row(file, 4, "unknown", summary->verdicts[SER_VERDICT_UNKNOWN], summary);
    print_part(file, "refused witness", summary->reasons[SER_REASON_NONE], summary);
    for (ser_reason reason = SER_REASON_TIME; reason <= SER_REASON_WINDOW; reason++)
        print_part(file, ser_reason_name(reason), summary->reasons[reason], summary);
}

static void print_segments(const ser_predict_summary *summary, uint64_t events, FILE *file)
{
    if (!summary->segments || !events)
        return;
    double average = (double)summary->segment_events / (double)summary->segments;
    ser_print(file, "  %-*s%*.1f events, %.1f%% of the trace\n", NAME_WIDTH - 2, "average segment",
              NUMBER_WIDTH, average, 100.0 * average / (double)events);
}

void ser_predict_print_summary(const ser_predict_summary *summary, uint64_t events, FILE *file)
{
    ser_print(file, "  %-*s%*" PRIu64 "\n", NAME_WIDTH - 2, "blocks", NUMBER_WIDTH,
              summary->blocks);
    print_row(file, 4, "static", summary->verdicts[SER_VERDICT_STATIC], summary);
    for (ser_static_proof proof = SER_STATIC_FEW_ACCESSES; proof <= SER_STATIC_TWO_PHASE; proof++)
        print_part(file, proof_words(proof), summary->proofs[proof], summary);
    print_row(file, 4, "none", summary->verdicts[SER_VERDICT_NONE], summary);
    print_row(file, 4, "violation", summary->verdicts[SER_VERDICT_VIOLATION], summary);
    print_unknown(summary, file);
    print_segments(summary, events, file);
}

static void print_count(FILE *file, int indent, const char *name, uint64_t count)
{
    ser_print(file, "%*s%-*s%*" PRIu64 "\n", indent, "", 2 * NAME_WIDTH - indent, name,
              NUMBER_WIDTH, count);
}

void ser_predict_print_triples(const ser_triple_counts *counts, FILE *file)
{
    print_count(file, 2, "triples of accesses", counts->potential);
    print_count(file, 4, "not ordered by forks and joins", counts->ordered);
    print_count(file, 4, "not excluded by nested locks", counts->unlocked);
    print_count(file, 4, "real", counts->real);
    if (counts->undecided)
        print_count(file, 4, "undecided", counts->undecided);
}

void ser_predict_print_reads(const ser_read_counts *counts, FILE *file)
{
    if (!counts->all)
        return;
    print_count(file, 2, "reads of shared data", counts->all);
    for (ser_read_kind kind = 0; kind < SER_READ_UNFOLLOWED; kind++)
        print_count(file, 4, ser_read_kind_words(kind), counts->kinds[kind]);
    for (ser_read_kind kind = SER_READ_UNFOLLOWED; kind < SER_READ_KINDS; kind++)
        if (counts->kinds[kind])
            print_count(file, 4, ser_read_kind_words(kind), counts->kinds[kind]);
}

static void print_block(const ser_predict_report *report, const ser_block_result *result,
                        FILE *file)
{
    const ser_run *run = report->prediction->run;
    const ser_run_block *block = &run->blocks.items[result->block];
    const char *reason = ser_reason_name(result->reason);
    char verdict[40];
    snprintf(verdict, sizeof verdict, "%s%s%s", ser_verdict_name(result->verdict),
             reason ? ": " : "", reason ? reason : "");
    ser_print(file,
              "  %9" PRIu64 "  %-12s %8" PRIu32 "  %8" PRIu64 "  %-20s %-7s %10" PRIu64
              "  %11" PRIu64 "  %9.3f\n",
              ser_predict_begin(report, result),
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, block->thread), result->events,
              result->segment, verdict, result->engine ? result->engine : "-", result->explored,
              result->constraints, result->seconds);
}

void ser_predict_print_blocks(const ser_predict_report *report, FILE *file)
{
    ser_print(file, "  %9s  %-12s %8s  %8s  %-20s %-7s %10s  %11s  %9s\n", "block", "thread",
              "events", "segment", "verdict", "engine", "explored", "constraints", "seconds");
    for (size_t i = 0; i < report->prediction->results.count; i++)
        print_block(report, &report->prediction->results.items[i], file);
}
