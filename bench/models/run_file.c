/* SPDX-License-Identifier: MIT */
#include "run_file.h"

#include "order/order.h"
#include "simulator.h"
#include "trace/statistics.h"
#include "trace/trace.h"

/* Numbers of the program to numbers of the trace, which count from 0 in order of first
 * appearance. */
typedef struct run_output {
    const program *p;
    ser_symbols *symbols;
    ser_writer *writer;
    ser_status status;
    ser_error *error;
} run_output;

static uint32_t translate(run_output *out, ser_space space, uint32_t number)
{
    if (number == SER_NO_OBJECT)
        return number;
    const char *name = out->p->names[space].items[number];
    return ser_symbols_add(out->symbols, space, name, strlen(name));
}

static void take_event(void *context, const ser_event *event, const char *place)
{
    run_output *out = context;
    ser_event translated = *event;
    translated.thread = translate(out, SER_SPACE_THREAD, event->thread);
    translated.object = translate(out, ser_op_space((ser_op)event->op), event->object);
    translated.site = SER_NO_SITE;
    if (place)
        translated.site = ser_symbols_add_site(out->symbols, place, strlen(place), SER_NO_OBJECT);
    if (out->status == SER_OK)
        out->status = ser_writer_put(out->writer, &translated, 1, out->error);
}

/* Any number that depends on nothing but the name. */
static uint64_t seed_of(const model *m)
{
    uint64_t seed = 1;
    for (const char *letter = m->name; *letter; letter++)
        seed = 31 * seed + (unsigned char)*letter;
    return seed;
}

ser_status write_run(const model *m, ser_writer_format format, const char *path, ser_error *error)
{
    program *p = program_create(&m->wanted, seed_of(m));
    p->disturbed = m->paper.none + m->paper.violations;
    m->build(p);
    program_complete(p);
    run_output out = {.p = p, .symbols = ser_symbols_create(), .error = error};
    out.status = ser_writer_open(&out.writer, path, format, out.symbols, error);
    if (out.status == SER_OK && !simulate(p, seed_of(m), take_event, &out))
        out.status = ser_fail(error, SER_INTERNAL, "the model %s deadlocks", m->name);
    if (out.status == SER_OK)
        out.status = ser_writer_finish(out.writer, error);
    ser_writer_close(out.writer);
    ser_symbols_destroy(out.symbols);
    program_destroy(p);
    return out.status;
}

static ser_status load(ser_trace *trace, ser_statistics *statistics, ser_run_builder *builder,
                       ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_trace_next(trace, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        ser_statistics_add(statistics, batch.events, batch.count);
        status = ser_run_builder_add(builder, batch.events, batch.count, error);
        if (status != SER_OK)
            return status;
    }
}

static figures figures_of(const ser_statistics *statistics)
{
    ser_counts counts = ser_statistics_counts(statistics);
    return (figures){.threads = (uint32_t)counts.threads,
                     .events = (uint32_t)counts.events,
                     .lock_events = (uint32_t)counts.lock_events,
                     .locks = (uint32_t)counts.locks,
                     .accesses = (uint32_t)counts.accesses,
                     .variables = (uint32_t)counts.variables,
                     .waits_notifies = (uint32_t)counts.waits_and_notifies,
                     .blocks = (uint32_t)counts.blocks};
}

static double coupling_of(ser_run_builder *builder)
{
    ser_run *run = ser_run_builder_finish(builder);
    ser_order *order = ser_order_create(run, NULL);
    double coupling = (double)order->cross_edges / run->count;
    ser_order_destroy(order);
    ser_run_destroy(run);
    return coupling;
}

ser_status measure_run(const char *path, figures *found, double *coupling, ser_error *error)
{
    ser_trace *trace;
    ser_status status = ser_trace_open(&trace, path, &(ser_trace_options){0}, error);
    if (status != SER_OK)
        return status;
    ser_statistics *statistics = ser_statistics_create();
    ser_run_builder *builder = ser_run_builder_create(ser_trace_symbols(trace));
    status = load(trace, statistics, builder, error);
    if (status == SER_OK) {
        *found = figures_of(statistics);
        *coupling = coupling_of(builder);
    } else {
        ser_run_builder_discard(builder);
    }
    ser_statistics_destroy(statistics);
    ser_trace_close(trace);
    return status;
}
