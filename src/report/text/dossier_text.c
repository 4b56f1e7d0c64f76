/* SPDX-License-Identifier: MIT */
/*
 * A dossier for a terminal, a screen an entry: what happens in one sentence, the interleaving, why
 * it is known, what it did, and the command that shows it again; the last line is the verdict.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "report/describe.h"
#include "report/source_line.h"
#include "report/text/dossier_rows.h"
#include "report/text/wrapped.h"

static unsigned width_of(const ser_dossier_style *style)
{
    return style->width ? style->width : SER_TEXT_WIDTH;
}

static void print_title(const ser_entry *entry, size_t number, const ser_dossier_style *style,
                        FILE *file)
{
    const char *status = ser_entry_was_seen(entry) ? "\033[1;31m" : "\033[1;33m";
    ser_print_made(file, style->colour ? "\033[1m" : "");
    ser_print(file, "\n%zu. %s", number, entry->title);
    ser_print_made(file, style->colour ? "\033[0m" : "");
    ser_print(file, "  [%s] ", entry->id);
    ser_print_made(file, style->colour ? status : "");
    ser_print(file, "%s", entry->status);
    ser_print_made(file, style->colour ? "\033[0m" : "");
    fputc('\n', file);
}

/* Where there is no interleaving: the accesses alone. */
static void print_accesses(const ser_entry *entry, FILE *file)
{
    for (size_t i = 0; i < entry->accesses.count; i++) {
        const ser_entry_access *access = &entry->accesses.items[i];
        ser_print(file, "   %c %s  %s %s%s%s  %s\n", access->in_block ? '|' : ' ', access->thread,
                  access->operation, access->variable, *access->value ? " = " : "", access->value,
                  access->location);
        char *line = ser_source_line(access->location);
        if (line && *line)
            ser_print(file, "   %c      %s\n", access->in_block ? '|' : ' ', line);
        free(line);
    }
}

static void print_frame(const ser_picture *picture, uint32_t call, FILE *file)
{
    const ser_symbols *symbols = picture->run->symbols;
    const ser_event *event = &picture->run->events[call];
    ser_print(file, "        in %s()  %s\n",
              ser_symbols_name(symbols, SER_SPACE_FUNCTION, event->object),
              ser_brief_location(ser_symbols_location(symbols, event->site)));
}

/* Each access of the path, and the functions that its thread was in, the innermost first. */
static void print_stacks(const ser_picture *picture, FILE *file)
{
    const ser_run *run = picture->run;
    ser_print(file, "\n   Stacks:\n");
    for (size_t i = 0; i < picture->steps.count; i++) {
        const ser_picture_step *step = &picture->steps.items[i];
        const ser_event *event = &run->events[step->event];
        if (!(step->flags & SER_STEP_ON_PATH))
            continue;
        ser_print(file, "     %s %s %s  %s\n",
                  ser_symbols_name(run->symbols, SER_SPACE_THREAD, event->thread),
                  ser_op_verb((ser_op)event->op),
                  ser_plain_name(picture->names, ser_op_space((ser_op)event->op), event->object),
                  ser_brief_location(ser_symbols_location(run->symbols, event->site)));
        ser_event_list stack = ser_stack_of(run, step->event);
        for (size_t k = stack.count; k-- > 0;)
            print_frame(picture, stack.items[k], file);
        ser_vector_free(&stack);
    }
}

/* "Replay: it happened." */
static void print_labelled(FILE *file, const char *label, const char *words, const char *end,
                           unsigned width)
{
    char *text = NULL;
    if (asprintf(&text, "%s: %s%s", label, words, end) < 0)
        ser_out_of_memory(0);
    ser_print_wrapped(file, text, width);
    free(text);
}

static void print_entry(const ser_entry *entry, size_t number, bool with_stacks,
                        const ser_dossier_style *style, FILE *file)
{
    unsigned width = width_of(style);
    print_title(entry, number, style, file);
    if (*entry->lead)
        ser_print_wrapped(file, entry->lead, width);
    if (entry->picture.run) {
        fputc('\n', file);
        ser_picture_print(&entry->picture, style, file);
        if (with_stacks)
            print_stacks(&entry->picture, file);
    } else if (entry->accesses.count) {
        fputc('\n', file);
        print_accesses(entry, file);
    }
    fputc('\n', file);
    ser_print_wrapped(file, entry->certainty, width);
    if (entry->consequence)
        print_labelled(file, "Replay", entry->consequence, ".", width);
    if (entry->blocks > 1)
        ser_print(file, "   The same happens to %" PRIu64 " more block%s.\n", entry->blocks - 1,
                  entry->blocks == 2 ? "" : "s");
    if (entry->also)
        print_labelled(file, "Also found in", entry->also, "", width);
    if (entry->replay) {
        ser_print(file, "   to replay: ");
        ser_print_made(file, entry->replay);
        fputc('\n', file);
    }
}

static void print_verdict(const ser_dossier *dossier, FILE *file)
{
    size_t count = dossier->entries.count;
    fputc('\n', file);
    if (dossier->suppressed) {
        ser_describe_count(file, dossier->suppressed, "finding");
        ser_print(file, dossier->suppressed == 1 ? " is suppressed" : " are suppressed");
        ser_print(file, " (--suppress, --baseline)\n");
    }
    ser_print(file, "%s: ", ser_dossier_verdict(dossier));
    if (count)
        ser_describe_count(file, count, "finding");
    else
        ser_print(file, "nothing was found");
    fputc('\n', file);
}

/* The first few, and those whose trace was refused. */
static void print_runs(const ser_dossier *dossier, FILE *file)
{
    enum { MOST = 3 };
    size_t others = 0;
    for (size_t i = 0; i < dossier->runs.count; i++) {
        const ser_dossier_run *run = &dossier->runs.items[i];
        const ser_trace_size size = {run->events, run->threads, run->locks, run->variables,
                                     run->blocks};
        if (i < MOST || run->refused)
            ser_describe_recorded(file, run->trace, &size, run->refused);
        else
            others++;
    }
    if (others) {
        ser_describe_count(file, others, "more run");
        fputc('\n', file);
    }
}

void ser_dossier_write_text(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file)
{
    print_runs(dossier, file);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++)
        print_entry(&dossier->entries.items[i], i + 1, dossier->shows_stacks, style, file);
    print_verdict(dossier, file);
}
