/* SPDX-License-Identifier: MIT */
/*
 * Of each segment a trace is made (segment_trace.h), and predicted from in windows that begin
 * behind the events that stand for the past. Of each place of which only its windows are known, a
 * block is looked at once more, in a window that is larger: what conflicts with it may be further
 * away, behind accesses of threads' own data.
 */
#include "session/watch/segment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output/log.h"
#include "base/output/print.h"
#include "report/window_report.h"
#include "session/watch/segment_trace.h"

/* Records of a segment with which the next one begins: several windows. */
enum { RECORDS_PER_WINDOW_EVENT = 8, PATH_SIZE = 4200 };

/* Windows of the second look; how many places of a segment get one, and as many that facts have
 * settled so far: what comes behind their windows may refute them. */
enum { GROWTH = 16, MOST_AGAIN = 16 };

/* What a second look may take, each block and all of them; after one that took more, segments are
 * left alone for a while: the program must not wait for it. */
enum { RESTING_SEGMENTS = 16 };
static const double MOST_SECONDS = 2;

/* A block that is to be looked at again; the first one of its place. */
typedef struct open_block {
    uint64_t begin;
    char *place;
    bool is_settled; /* by facts, so far */
} open_block;

/* A trace on the disk. */
typedef struct kept_file {
    uint64_t number, bytes;
} kept_file;

struct ser_segments {
    ser_segments_options options;
    ser_segment_trace *trace;
    uint64_t number; /* of the segment at hand */
    uint64_t events, blocks;
    SER_VECTOR(char *) places;  /* of violations that were printed */
    SER_VECTOR(kept_file) kept; /* without a violation, the oldest first */
    uint64_t kept_bytes;
    char spool[PATH_SIZE];
    /* Of the segment at hand: */
    ser_window_report report;
    uint64_t beginning; /* its last event that stands for the past; 0: not come to it */
    bool has_violation;
    SER_VECTOR(open_block) open; /* by their first events, once the first pass is over */
    bool is_second;              /* pass: of these alone */
    size_t next_open;
    double second_start;  /* when the second pass began */
    uint64_t rests_until; /* the segment from which on there is a second look again */
};

ser_segments *ser_segments_create(const ser_segments_options *options)
{
    ser_segments *segments = ser_alloc(1, sizeof *segments);
    segments->options = *options;
    segments->trace = ser_segment_trace_create();
    snprintf(segments->spool, sizeof segments->spool, "%s/segment", options->folder);
    return segments;
}

void ser_segments_destroy(ser_segments *segments)
{
    ser_segment_trace_destroy(segments->trace);
    for (size_t i = 0; i < segments->places.count; i++)
        free(segments->places.items[i]);
    ser_vector_free(&segments->places);
    ser_vector_free(&segments->open);
    ser_vector_free(&segments->kept);
    free(segments);
}

const char *ser_segments_spool(const ser_segments *segments)
{
    return segments->spool;
}

static void name_trace(const ser_segments *segments, uint64_t number, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/segment-%06" PRIu64 ".srt", segments->options.folder, number);
}

/* --- violations ---------------------------------------------------------------------------- */

/* Numbers of names differ from segment to segment. */
static char *describe_place(const ser_symbols *symbols, const ser_event *first)
{
    char *text = NULL;
    ser_space space = ser_op_space((ser_op)first->op);
    const char *name = first->object == SER_NO_OBJECT || !ser_op_opens((ser_op)first->op)
                           ? ""
                           : ser_symbols_name(symbols, space, first->object);
    if (asprintf(&text, "%s %s", name,
                 first->site == SER_NO_SITE ? "" : ser_symbols_location(symbols, first->site)) < 0)
        ser_out_of_memory(0);
    return text;
}

static bool is_known(const ser_segments *segments, const char *place)
{
    for (size_t i = 0; i < segments->places.count; i++)
        if (strcmp(segments->places.items[i], place) == 0)
            return true;
    return false;
}

static bool is_new_place(ser_segments *segments, const ser_event *first)
{
    char *place = describe_place(segments->report.symbols, first);
    if (is_known(segments, place)) {
        free(place);
        return false;
    }
    ser_vector_push(&segments->places, place);
    return true;
}

/* Nothing is known of it beyond its window, or beyond the events so far. */
static void leave_open(ser_segments *segments, const ser_window_block *block, bool is_settled)
{
    char *place = describe_place(segments->report.symbols, &block->first);
    bool is_there = is_known(segments, place);
    size_t alike = 0;
    for (size_t i = 0; i < segments->open.count; i++) {
        const open_block *other = &segments->open.items[i];
        is_there |= other->is_settled == is_settled && strcmp(other->place, place) == 0;
        alike += other->is_settled == is_settled;
    }
    if (is_there || alike >= MOST_AGAIN)
        free(place);
    else
        ser_vector_push(&segments->open, ((open_block){block->begin, place, is_settled}));
}

static void close_all(ser_segments *segments)
{
    for (size_t i = 0; i < segments->open.count; i++)
        free(segments->open.items[i].place);
    segments->open.count = 0;
}

/* The `decided` of windows.h. Blocks that began before the segment are known from the one before.
 */
static void note_decided(void *context, const ser_window_result *decided)
{
    ser_segments *segments = context;
    const ser_block_result *result = decided->result;
    if (decided->block->begin <= segments->beginning)
        return;
    segments->blocks += !segments->is_second;
    if (!segments->is_second && result->verdict == SER_VERDICT_UNKNOWN && decided->last)
        leave_open(segments, decided->block, !decided->excerpt);
    if (result->verdict != SER_VERDICT_VIOLATION || !is_new_place(segments, &decided->block->first))
        return;
    segments->has_violation = true;
    ser_print(stdout, "After %.1f s, in %s:\n", ser_clock_now() - segments->options.start,
              segments->report.path);
    ser_window_report_add(&segments->report, decided);
    fflush(stdout);
}

/* The `wanted`: which blocks the second pass looks at. */
static bool is_open(void *context, uint64_t begin)
{
    ser_segments *segments = context;
    if (ser_clock_now() - segments->second_start > MOST_SECONDS)
        return false;
    while (segments->next_open < segments->open.count &&
           segments->open.items[segments->next_open].begin < begin)
        segments->next_open++;
    return segments->next_open < segments->open.count &&
           segments->open.items[segments->next_open].begin == begin;
}

/* --- windows --------------------------------------------------------------------------------- */

/* Feeds a batch up to the end of the past, after which the windows begin, and then the rest. */
static ser_status feed(ser_segments *segments, ser_windows *windows, const ser_batch *batch,
                       uint64_t before, ser_error *error)
{
    size_t from = 0;
    if (!segments->beginning) {
        while (from < batch->count && batch->events[from].op != SER_OP_SKIP)
            from++;
        from += from < batch->count;
        ser_status status = ser_windows_feed(windows, batch->events, from, error);
        if (status != SER_OK || from == 0 || batch->events[from - 1].op != SER_OP_SKIP)
            return status;
        segments->beginning = before + from;
        ser_windows_forget(windows);
    }
    return ser_windows_feed(windows, batch->events + from, batch->count - from, error);
}

/* One pass over the segment. */
static ser_status predict(ser_segments *segments, ser_source *source, ser_error *error)
{
    ser_windows_options options = {
        .size = segments->report.size,
        .predict = segments->options.predict,
        .wanted = segments->is_second ? is_open : NULL,
        .decided = note_decided,
        .context = segments,
    };
    double *timeout = &options.predict.timeout;
    if (segments->is_second && (*timeout <= 0 || *timeout > MOST_SECONDS))
        *timeout = MOST_SECONDS;
    ser_windows *windows = ser_windows_create(&options);
    ser_status status;
    ser_batch batch;
    uint64_t events = 0;
    segments->beginning = 0;
    do {
        status = ser_source_next(source, &batch, error);
        if (status == SER_OK && batch.count)
            status = feed(segments, windows, &batch, events, error);
        events += batch.count;
    } while (status == SER_OK && batch.count);
    if (status == SER_OK)
        status = ser_windows_finish(windows, error);
    ser_windows_destroy(windows);
    return status;
}

static int by_begin(const void *a, const void *b)
{
    uint64_t one = ((const open_block *)a)->begin, other = ((const open_block *)b)->begin;
    return one < other ? -1 : one > other;
}

/* Blocks that were left open, in larger windows. */
static ser_status predict_again(ser_segments *segments, ser_source *source, ser_error *error)
{
    if (segments->open.count == 0 || segments->report.size > UINT32_MAX / GROWTH ||
        segments->number < segments->rests_until || source->stopped)
        return SER_OK;
    qsort(segments->open.items, segments->open.count, sizeof *segments->open.items, by_begin);
    segments->is_second = true;
    segments->next_open = 0;
    segments->report.size *= GROWTH;
    segments->second_start = ser_clock_now();
    ser_status status = ser_source_rewind(source, false, error);
    if (status == SER_OK)
        status = predict(segments, source, error);
    if (ser_clock_now() - segments->second_start > MOST_SECONDS)
        segments->rests_until = segments->number + RESTING_SEGMENTS;
    return status;
}

static ser_status analyse(ser_segments *segments, const char *path, ser_error *error)
{
    ser_source source = {0};
    const ser_source_settings settings = {
        .verb = "watch", .path = path, .reading = segments->options.reading, .keep = true};
    segments->has_violation = segments->is_second = false;
    ser_status status = ser_source_open(&source, &settings, error);
    if (status == SER_OK) {
        segments->report = (ser_window_report){.path = path,
                                               .size = segments->options.window,
                                               .is_asked_for = true,
                                               .symbols = ser_trace_symbols(source.trace),
                                               .text = stdout};
        status = predict(segments, &source, error);
        if (status == SER_OK)
            status = predict_again(segments, &source, error);
        close_all(segments);
        ser_vector_free(&segments->report.printed);
    }
    ser_source_close(&source);
    return status;
}

/* --- files -------------------------------------------------------------------------------------
 */

static void keep_trace(ser_segments *segments, const char *path)
{
    struct stat file;
    if (segments->has_violation || stat(path, &file) != 0)
        return;
    ser_vector_push(&segments->kept, ((kept_file){segments->number, (uint64_t)file.st_size}));
    segments->kept_bytes += (uint64_t)file.st_size;
    size_t gone = 0;
    while (segments->kept_bytes > segments->options.keep && gone < segments->kept.count) {
        char old[PATH_SIZE];
        name_trace(segments, segments->kept.items[gone].number, old);
        unlink(old);
        segments->kept_bytes -= segments->kept.items[gone++].bytes;
    }
    memmove(segments->kept.items, segments->kept.items + gone,
            (segments->kept.count - gone) * sizeof *segments->kept.items);
    segments->kept.count -= gone;
}

ser_status ser_segments_add(ser_segments *segments, const struct ser_record *records, size_t count,
                            ser_error *error)
{
    char path[PATH_SIZE];
    uint64_t events = 0;
    segments->number++;
    name_trace(segments, segments->number, path);
    ser_segment_trace_add(segments->trace, records, count);
    ser_status status = ser_segment_trace_write(segments->trace, path, &events, error);
    if (status != SER_OK)
        return status;
    segments->events += events;
    if (analyse(segments, path, error) == SER_INPUT) {
        ser_warning("%s; the segment is skipped", error->text);
        error->text[0] = '\0';
    } else if (error->text[0]) {
        return error->status;
    }
    keep_trace(segments, path);
    ser_segment_trace_cut(segments->trace,
                          (size_t)segments->options.window * RECORDS_PER_WINDOW_EVENT);
    return SER_OK;
}

void ser_segments_pass(ser_segments *segments, const struct ser_record *records, size_t count)
{
    ser_segment_trace_pass(segments->trace, records, count);
}

ser_segments_count ser_segments_so_far(const ser_segments *segments)
{
    return (ser_segments_count){segments->events, segments->number, segments->places.count};
}

ser_status ser_segments_conclude(const ser_segments *segments)
{
    size_t found = segments->places.count;
    ser_print(stdout, "\n%" PRIu64 " events in %" PRIu64 " segment%s, %.1f s\n", segments->events,
              segments->number, segments->number == 1 ? "" : "s",
              ser_clock_now() - segments->options.start);
    if (found)
        ser_print(stdout, "violation: %zu place%s of the code can be violated\n", found,
                  found == 1 ? "" : "s");
    else if (segments->events)
        ser_print(stdout, "no violation within windows of %" PRIu32 " events\n",
                  segments->options.window);
    else
        ser_print(stdout, "undecided: nothing was looked at\n");
    return found ? SER_VIOLATION : segments->events ? SER_OK : SER_UNDECIDED;
}
