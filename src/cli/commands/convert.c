/* SPDX-License-Identifier: MIT */
/*
 * seriatim convert: a trace in, the same trace out in another format. With
 * --atomic other than markers the blocks it finds are written as begin and end
 * events in place of those of the input, so that other tools see them as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output/log.h"
#include "base/vector.h"
#include "cli/command.h"
#include "cli/translate.h"
#include "session/source.h"
#include "trace/writer.h"

typedef struct conversion {
    ser_source source;
    ser_writer *writer;
    const char *target;
    bool redact;                  /* without values */
    bool new_markers;             /* begin and end events come from --atomic */
    SER_VECTOR(ser_event) marked; /* a batch with its new markers */
    uint64_t written;
} conversion;

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* --to; else the ending of the name; else the format the input does not have. */
static ser_writer_format choose_format(const ser_arguments *arguments, const char *target,
                                       const char *input_format)
{
    const char *to = ser_arguments_text(arguments, "to");
    if (to)
        return strcmp(to, "native") == 0 ? SER_WRITE_NATIVE : SER_WRITE_TEXT;
    if (ends_in(target, ".srt"))
        return SER_WRITE_NATIVE;
    if (ends_in(target, ".std") || ends_in(target, ".txt"))
        return SER_WRITE_TEXT;
    return strcmp(input_format, "native") == 0 ? SER_WRITE_TEXT : SER_WRITE_NATIVE;
}

static ser_status check_ending(const char *target, ser_error *error)
{
    const char *tool = ends_in(target, ".gz") ? "gzip" : ends_in(target, ".zst") ? "zstd" : NULL;
    if (!tool)
        return SER_OK;
    return ser_fail(error, SER_USAGE,
                    "%s: convert does not compress; native files are compressed as they are, "
                    "and text can go through a pipe: -o - --to text | %s > %s",
                    target, tool, target);
}

static ser_status open_writer(conversion *job, const ser_arguments *arguments, ser_error *error)
{
    const ser_reader *reader = ser_trace_reader(job->source.trace);
    ser_writer_format format = choose_format(arguments, job->target, ser_reader_format(reader));
    if (format == SER_WRITE_NATIVE && strcmp(job->target, "-") == 0 && isatty(STDOUT_FILENO))
        return ser_fail(error, SER_USAGE,
                        "refusing to write binary data to a terminal; name a file with -o, or use "
                        "--to text");
    ser_status status = ser_writer_open(&job->writer, job->target, format,
                                        ser_trace_symbols(job->source.trace), error);
    if (status == SER_OK)
        ser_writer_set_checkpoints(job->writer, ser_arguments_number(arguments, "checkpoints"));
    return status;
}

static ser_event marker_at(const ser_event *event, ser_op op)
{
    return (ser_event){
        .thread = event->thread, .object = SER_NO_OBJECT, .site = event->site, .op = (uint8_t)op};
}

/*
 * A block that a wait ends gets its end before the wait, which orders nothing itself.
 * After it, the end would be what the thread does next, and the notify that wakes the
 * thread later would seem to have woken no thread.
 */
static void mark_event(conversion *job, const ser_event *event)
{
    bool is_block = !(event->flags & SER_EVENT_STEP);
    bool opens = is_block && (event->flags & SER_EVENT_OPENS);
    bool closes = is_block && (event->flags & SER_EVENT_CLOSES);
    bool waits = ser_op_waits((ser_op)event->op);
    if (opens)
        ser_vector_push(&job->marked, marker_at(event, SER_OP_BEGIN));
    if (closes && waits)
        ser_vector_push(&job->marked, marker_at(event, SER_OP_END));
    ser_vector_push(&job->marked, *event);
    if (closes && !waits)
        ser_vector_push(&job->marked, marker_at(event, SER_OP_END));
}

/* The batch with begin before the first event of a block and end after its last.
 * Markers of the input stay where they are themselves the bounds of a block. */
static void mark_blocks(conversion *job, const ser_batch *batch)
{
    job->marked.count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const ser_event *event = &batch->events[i];
        ser_op op = (ser_op)event->op;
        bool is_marker = ser_op_begins(op) || ser_op_ends(op);
        bool is_bound = event->flags & (SER_EVENT_OPENS | SER_EVENT_CLOSES);
        if (!is_marker)
            mark_event(job, event);
        else if (is_bound)
            ser_vector_push(&job->marked, *event);
    }
}

static void copy_batch(conversion *job, const ser_batch *batch)
{
    job->marked.count = 0;
    for (size_t i = 0; i < batch->count; i++)
        ser_vector_push(&job->marked, batch->events[i]);
}

static ser_status write_batch(conversion *job, const ser_batch *batch, ser_error *error)
{
    if (job->new_markers)
        mark_blocks(job, batch);
    else
        copy_batch(job, batch);
    for (size_t i = 0; job->redact && i < job->marked.count; i++)
        ser_event_redact(&job->marked.items[i]);
    job->written += job->marked.count;
    return ser_writer_put(job->writer, job->marked.items, job->marked.count, error);
}

static ser_status copy_events(conversion *job, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(&job->source, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        status = write_batch(job, &batch, error);
        if (status != SER_OK)
            return status;
    }
}

static ser_status finish(conversion *job, ser_error *error)
{
    bool to_file = strcmp(job->target, "-") != 0;
    if (job->source.stopped)
        return ser_fail(error, SER_UNDECIDED, "%s: %s", job->source.stopped,
                        to_file ? "nothing was written" : "the output is incomplete");
    ser_status status = ser_writer_finish(job->writer, error);
    if (status == SER_OK) {
        ser_source_warn(&job->source);
        if (to_file)
            ser_message("wrote %s: %" PRIu64 " events", job->target, job->written);
    }
    return status;
}

static ser_status run(const ser_arguments *arguments, ser_error *error)
{
    conversion job = {
        .target = ser_arguments_text(arguments, "output"),
        .redact = ser_arguments_given(arguments, "redact"),
        .new_markers = strcmp(ser_arguments_text(arguments, "atomic"), "markers") != 0,
    };
    ser_status status = check_ending(job.target, error);
    if (status != SER_OK)
        return status;
    const ser_source_settings settings = ser_source_of(arguments, "convert");
    status = ser_refuse_outputs(arguments, job.target, false, error);
    if (status == SER_OK)
        status = ser_source_open(&job.source, &settings, error);
    if (status == SER_OK)
        status = open_writer(&job, arguments, error);
    if (status == SER_OK)
        status = copy_events(&job, error);
    if (status == SER_OK)
        status = finish(&job, error);
    ser_writer_close(job.writer);
    ser_source_close(&job.source);
    ser_vector_free(&job.marked);
    return status;
}

static const ser_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = SER_OPTION_TEXT,
     .argument = "FILE",
     .standard = "-",
     .help = "where to write the trace; - is standard output"},
    {.name = "to",
     .kind = SER_OPTION_CHOICE,
     .argument = "FORMAT",
     .choices = "text|native",
     .help = "the format to write, whatever FILE is called"},
    {.name = "checkpoints",
     .kind = SER_OPTION_NUMBER,
     .argument = "N",
     .standard = "16777216",
     .least = 1,
     .most = UINT64_MAX,
     .help = "native: a checkpoint after about every N events, from which the file can be read"},
    {.name = "redact", .help = "leave out what was read and written; inputs are never converted"},
    SER_OPTIONS_TRACE,
    SER_OPTIONS_COMMON,
};

static const ser_example examples[] = {
    {"seriatim convert run.std -o run.srt", "text to native"},
    {"seriatim convert run.srt | less", "look at a native trace"},
    {"seriatim convert --atomic locks run.srt -o run.std",
     "with begin and end around every critical section"},
    {"seriatim convert rr.log.gz -o rr.srt", "a compressed RoadRunner log to native"},
    {NULL, NULL},
};

static const ser_exit_code exit_codes[] = {
    {SER_OK, "the trace was written"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "the trace is not well-formed, or a file cannot be read or written"},
    {SER_UNDECIDED, "stopped before the end by Ctrl-C or --budget; nothing was written"},
    SER_EXIT_COMMON,
};

const ser_command ser_command_convert = {
    .name = "convert",
    .summary = "write a trace in another format",
    .usage = "[options] TRACE [-o FILE]",
    .description = SER_READS_TRACE
    "writes it as text or in the native format. No event, "
    "operand, location or value is lost on the way.\n"
    "\n"
    "The format is that of --to. Without it, FILE decides by its name: .srt is native, .std "
    "and .txt are text. For any other name, also for standard output, it is text if the input "
    "is native, and native otherwise.\n"
    "\n"
    "With an --atomic other than markers, the blocks that it names are written as begin and "
    "end events; those of the input are dropped.\n"
    "\n"
    "With --lenient, events that break a rule are written as skip events, so that the others "
    "keep their numbers.\n"
    "\n"
    "FILE appears under its name when it is complete, and not before.",
    .least_operands = 1,
    .most_operands = 1,
    SER_COMMAND_PARTS,
};
