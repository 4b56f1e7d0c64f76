/* SPDX-License-Identifier: MIT */
/*
 * The columns of a witness. Steps that matter (on the violation path, broken, the
 * first of the block) are kept, and with them their neighbours in the same run of a
 * thread; what is left between is folded where it is long (choose_rows). Columns are
 * for the threads that then have a step to show.
 */
#include <inttypes.h>
#include <string.h>

#include "base/idmap.h"
#include "base/output/print.h"
#include "report/predict_report.h"

enum {
    NAME_WIDTH = 320,
    WIDEST_COLUMN = 32,
    NEIGHBOURS = 2,    /* shown on either side of what matters */
    LONGEST_SHOWN = 6, /* stretches of what does not matter */
    MOST_FOLDS = 6,    /* lines for a stretch that is not shown */
    MOST_COLUMNS = 100 /* with more threads each step names its own */
};

typedef struct column {
    uint32_t thread;
    size_t width;
} column;

typedef struct picture {
    const ser_predict_report *report;
    const ser_block_result *result;
    const ser_run *run;
    const uint32_t *order;
    size_t count;
    ser_idmap marks;  /* event: MARK_* */
    bool *shown;      /* by position in the order */
    int number_width; /* of the column of event numbers */
    SER_VECTOR(column) columns;
} picture;

enum { MARK_PATH = 1, MARK_BROKEN = 2 };

static void mark(picture *image, const uint32_t *events, size_t count, uint32_t with)
{
    for (size_t i = 0; i < count; i++)
        *ser_idmap_add(&image->marks, events[i], 0) |= with;
}

static bool is_on_path(const picture *image, uint32_t event)
{
    return ser_idmap_get(&image->marks, event, 0) & MARK_PATH;
}

static bool is_broken(const picture *image, uint32_t event)
{
    return ser_idmap_get(&image->marks, event, 0) & MARK_BROKEN;
}

static bool matters(const picture *image, uint32_t event)
{
    return is_on_path(image, event) || is_broken(image, event) ||
           event == image->run->blocks.items[image->result->block].begin;
}

static uint32_t thread_at(const picture *image, size_t position)
{
    return image->run->events[image->order[position]].thread;
}

/* Shows a step and its neighbours in the run of its thread. */
static void show_around(picture *image, size_t position)
{
    uint32_t thread = thread_at(image, position);
    image->shown[position] = true;
    for (size_t i = 1; i <= NEIGHBOURS && i <= position; i++) {
        if (thread_at(image, position - i) != thread)
            break;
        image->shown[position - i] = true;
    }
    for (size_t i = 1; i <= NEIGHBOURS && position + i < image->count; i++) {
        if (thread_at(image, position + i) != thread)
            break;
        image->shown[position + i] = true;
    }
}

/* The end of the stretch of hidden steps that starts here. */
static size_t end_of_hidden(const picture *image, size_t position)
{
    while (position < image->count && !image->shown[position])
        position++;
    return position;
}

static void choose_rows(picture *image)
{
    for (size_t i = 0; i < image->count; i++)
        if (matters(image, image->order[i]))
            show_around(image, i);
    for (size_t i = 0; i < image->count; i++) {
        size_t end = end_of_hidden(image, i);
        if (end > i && end - i <= LONGEST_SHOWN)
            memset(image->shown + i, true, end - i);
        else if (end > i)
            i = end - 1;
    }
}

static column *column_of(picture *image, uint32_t thread)
{
    for (size_t i = 0; i < image->columns.count; i++)
        if (image->columns.items[i].thread == thread)
            return &image->columns.items[i];
    size_t length = strlen(ser_symbols_shown_name(image->run->symbols, SER_SPACE_THREAD, thread));
    column added = {thread, length < WIDEST_COLUMN ? length : WIDEST_COLUMN};
    ser_vector_push(&image->columns, added);
    return &image->columns.items[image->columns.count - 1];
}

/* The operation, cut to what fits into a column: "w(...Entry.next@2)". Names of fields
 * and elements differ at their ends. */
static void describe_step(const picture *image, uint32_t event, char text[NAME_WIDTH])
{
    const ser_event *step = &image->run->events[event];
    ser_describe_operation(image->run->symbols, step, text, NAME_WIDTH);
    size_t length = strlen(text), kept = strlen(ser_op_name((ser_op)step->op)) + 1;
    if (length <= WIDEST_COLUMN)
        return;
    enum { DOTS = 3 };
    size_t tail = WIDEST_COLUMN - kept - DOTS;
    memset(text + kept, '.', DOTS);
    memmove(text + WIDEST_COLUMN - tail, text + length - tail, tail + 1);
}

static bool has_too_many_columns(const picture *image)
{
    return image->columns.count > MOST_COLUMNS;
}

/* The block's thread comes first, then the others as they appear. */
static void choose_columns(picture *image)
{
    column_of(image, image->run->blocks.items[image->result->block].thread);
    for (size_t i = 0; i < image->count && !has_too_many_columns(image); i++) {
        if (!image->shown[i])
            continue;
        char text[NAME_WIDTH];
        describe_step(image, image->order[i], text);
        column *own = column_of(image, thread_at(image, i));
        if (strlen(text) > own->width)
            own->width = strlen(text);
    }
}

static void print_headings(const picture *image, FILE *file)
{
    ser_print(file, "  %2s %*s", "", image->number_width, "event");
    if (has_too_many_columns(image)) {
        ser_print(file, "  thread: step\n");
        return;
    }
    for (size_t i = 0; i < image->columns.count; i++)
        ser_print(file, "  %-*.*s", (int)image->columns.items[i].width, WIDEST_COLUMN,
                  ser_symbols_shown_name(image->run->symbols, SER_SPACE_THREAD,
                                         image->columns.items[i].thread));
    ser_print(file, "  location\n");
}

static void print_step(const picture *image, size_t position, FILE *file)
{
    uint32_t number = image->order[position];
    const ser_event *event = &image->run->events[number];
    const char *location = ser_symbols_shown_location(image->run->symbols, event->site);
    char text[NAME_WIDTH];
    describe_step(image, number, text);
    ser_print(file, "  %c%c %*" PRIu64, is_on_path(image, number) ? '*' : ' ',
              is_broken(image, number) ? '!' : ' ', image->number_width,
              ser_run_number(image->run, number));
    if (has_too_many_columns(image))
        ser_print(file, "  %s: %s",
                  ser_symbols_shown_name(image->run->symbols, SER_SPACE_THREAD, event->thread),
                  text);
    for (size_t i = 0; !has_too_many_columns(image) && i < image->columns.count; i++) {
        const column *here = &image->columns.items[i];
        bool last = here->thread == event->thread && !*location;
        ser_print(file, "  %-*s", last ? 0 : (int)here->width,
                  here->thread == event->thread ? text : "");
        if (last)
            break;
    }
    if (*location)
        ser_print(file, "  %s", location);
    fputc('\n', file);
}

/* The end of the steps of one thread that start here. */
static size_t end_of_run(const picture *image, size_t position, size_t limit)
{
    uint32_t thread = thread_at(image, position);
    while (position < limit && thread_at(image, position) == thread)
        position++;
    return position;
}

static size_t count_runs(const picture *image, size_t from, size_t to)
{
    size_t runs = 0;
    for (; from < to; from = end_of_run(image, from, to))
        runs++;
    return runs;
}

/* "... 125 steps of T1 ..." */
static void print_fold(const picture *image, size_t from, size_t to, const char *thread, FILE *file)
{
    ser_print(file, "  %2s %*s  ", "", image->number_width, "...");
    ser_describe_count(file, to - from, "step");
    ser_print(file, " of %s ...\n", thread);
}

/* Thread by thread, as long as there are few switches among them. */
static void print_hidden(const picture *image, size_t from, size_t to, FILE *file)
{
    if (count_runs(image, from, to) > MOST_FOLDS) {
        print_fold(image, from, to, "several threads", file);
        return;
    }
    while (from < to) {
        size_t end = end_of_run(image, from, to);
        print_fold(
            image, from, end,
            ser_symbols_shown_name(image->run->symbols, SER_SPACE_THREAD, thread_at(image, from)),
            file);
        from = end;
    }
}

static void print_rows(const picture *image, FILE *file)
{
    for (size_t i = 0; i < image->count; i++) {
        size_t end = end_of_hidden(image, i);
        if (end == i) {
            print_step(image, i, file);
        } else {
            print_hidden(image, i, end, file);
            i = end - 1;
        }
    }
}

void ser_predict_print_witness(const ser_predict_report *report, const ser_block_result *result,
                               FILE *file)
{
    picture image = {.report = report,
                     .result = result,
                     .run = report->prediction->run,
                     .order = result->order.items,
                     .count = result->order.count,
                     .shown = ser_alloc(result->order.count, sizeof(bool))};
    image.number_width = snprintf(NULL, 0, "%" PRIu64, ser_run_number(image.run, image.run->count));
    if (image.number_width < 5)
        image.number_width = 5; /* "event" */
    mark(&image, result->facts.path.items, result->facts.path.count, MARK_PATH);
    mark(&image, result->facts.broken.items, result->facts.broken.count, MARK_BROKEN);
    choose_rows(&image);
    choose_columns(&image);
    print_headings(&image, file);
    print_rows(&image, file);
    ser_idmap_fini(&image.marks);
    free(image.shown);
    ser_vector_free(&image.columns);
}
