/* SPDX-License-Identifier: MIT */
#include "session/loaded.h"

#include "base/host.h"
#include "order/sieve.h"

/* At most so many events as `most`, and what comes with the last of them. */
static ser_status add_events(ser_source *source, ser_run_builder *builder,
                             ser_statistics *statistics, uint64_t most, ser_error *error)
{
    ser_batch batch;
    while (source->events < most) {
        ser_status status = ser_source_next(source, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        status = ser_run_builder_add(builder, batch.events, batch.count, error);
        if (status != SER_OK)
            return status;
        ser_statistics_add(statistics, batch.events, batch.count);
    }
    return SER_OK;
}

ser_status ser_loaded_open(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error)
{
    *loaded = (ser_loaded){0};
    return ser_source_open(&loaded->source, settings, error);
}

static void set_kinds(ser_loaded *loaded)
{
    for (size_t i = 0; i < loaded->run->blocks.count; i++)
        loaded->run->blocks.items[i].kind = ser_trace_block_kind(loaded->source.trace, i);
}

/* SER_OK and no run: there are more events. */
static ser_status read_most(ser_loaded *loaded, uint64_t most, ser_error *error)
{
    ser_source *source = &loaded->source;
    ser_run_builder *builder = ser_run_builder_create(ser_trace_symbols(source->trace));
    ser_statistics *statistics = ser_statistics_create();
    ser_status status = add_events(source, builder, statistics, most, error);
    loaded->counts = ser_statistics_counts(statistics);
    ser_statistics_destroy(statistics);
    if (status == SER_OK && source->events < most) {
        loaded->run = ser_run_builder_finish(builder);
        set_kinds(loaded);
    } else
        ser_run_builder_discard(builder);
    return status;
}

ser_status ser_loaded_read(ser_loaded *loaded, ser_error *error)
{
    return read_most(loaded, UINT64_MAX, error);
}

/* --- sifted ------------------------------------------------------------------- */

static ser_status find_users(ser_loaded *loaded, ser_users *users, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(&loaded->source, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        ser_users_add(users, batch.events, batch.count);
    }
}

/* As long as no more than `most` are needed. */
static ser_status sift_events(ser_loaded *loaded, ser_sieve *sieve, ser_statistics *statistics,
                              uint64_t most, ser_error *error)
{
    ser_batch batch;
    while (loaded->numbering.numbers.count <= most) {
        ser_status status = ser_source_next(&loaded->source, &batch, error);
        if (status == SER_OK && batch.count)
            status = ser_sieve_add(sieve, batch.events, batch.count, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        ser_statistics_add(statistics, batch.events, batch.count);
    }
    return SER_OK;
}

/* SER_OK and no run: more are needed. */
static ser_status read_needed(ser_loaded *loaded, const ser_users *users, uint64_t most,
                              ser_error *error)
{
    ser_sieve *sieve =
        ser_sieve_create(ser_trace_symbols(loaded->source.trace), users, &loaded->numbering);
    ser_statistics *statistics = ser_statistics_create();
    ser_status status = sift_events(loaded, sieve, statistics, most, error);
    loaded->counts = ser_statistics_counts(statistics);
    ser_statistics_destroy(statistics);
    if (status != SER_OK || loaded->numbering.numbers.count > most) {
        ser_sieve_discard(sieve);
        return status;
    }
    loaded->run = ser_sieve_finish(sieve, error);
    if (!loaded->run)
        return SER_INPUT;
    set_kinds(loaded);
    return SER_OK;
}

/* From the first event again. A pass that was stopped is why the next one ends there. */
static ser_status sift(ser_loaded *loaded, bool only_avp, uint64_t most, ser_error *error)
{
    ser_users users = {0};
    ser_status status = find_users(loaded, &users, error);
    const char *stopped = loaded->source.stopped;
    if (status == SER_OK)
        status = ser_source_rewind(&loaded->source, false, error);
    if (status == SER_OK)
        status = users.have_values && !only_avp ? read_most(loaded, most, error)
                                                : read_needed(loaded, &users, most, error);
    if (stopped && !loaded->source.stopped)
        loaded->source.stopped = stopped;
    ser_users_fini(&users);
    return status;
}

/* Events that fit into the memory, with what is found out about them. */
static uint64_t most_events(uint64_t memory)
{
    enum { BYTES_TO_PREDICT = 70 };
    memory = memory ? memory : ser_host_memory() / 2;
    return memory ? memory / BYTES_TO_PREDICT : UINT64_MAX;
}

ser_status ser_loaded_sift(ser_loaded *loaded, const ser_sift_options *options, ser_error *error)
{
    const uint64_t most = most_events(options->memory);
    ser_status status = SER_OK;
    if (options->when == SER_SIFT_NEVER)
        return ser_loaded_read(loaded, error);
    if (options->when == SER_SIFT_LARGE) {
        status = read_most(loaded, most / 2, error);
        if (status != SER_OK || loaded->run)
            return status;
        status = ser_source_rewind(&loaded->source, true, error);
    }
    if (status == SER_OK)
        status = sift(loaded, options->only_avp, most, error);
    if (status != SER_OK || loaded->run)
        return status;
    return ser_fail(error, SER_UNDECIDED, "%s does not fit into the memory it may take",
                    ser_source_name(&loaded->source));
}

ser_status ser_loaded_make(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error)
{
    ser_status status = ser_loaded_open(loaded, settings, error);
    return status == SER_OK ? ser_loaded_read(loaded, error) : status;
}

void ser_loaded_leave_file(ser_loaded *loaded)
{
    const char *path = loaded->source.path;
    loaded->symbols = ser_trace_take_symbols(loaded->source.trace);
    ser_source_close(&loaded->source);
    loaded->source.path = path;
}

/* What threads still read outlives it. */
void ser_loaded_close(ser_loaded *loaded)
{
    if (loaded->abandoned && loaded->source.trace)
        loaded->symbols = ser_trace_take_symbols(loaded->source.trace);
    ser_source_close(&loaded->source);
    ser_vector_free(&loaded->inputs);
    if (!loaded->abandoned) {
        ser_run_destroy(loaded->run);
        ser_symbols_destroy(loaded->symbols);
        ser_numbering_fini(&loaded->numbering);
    }
    *loaded = (ser_loaded){0};
}

ser_status ser_loaded_inputs(ser_loaded *loaded, const ser_input_list **inputs, ser_error *error)
{
    ser_status status = SER_OK;
    if (!loaded->has_inputs)
        status = ser_inputs_load(&loaded->inputs, loaded->source.path, error);
    loaded->has_inputs = status == SER_OK;
    *inputs = &loaded->inputs;
    return status;
}

uint64_t ser_loaded_bytes(const ser_loaded *loaded)
{
    enum { BYTES_OF_EVENT = 52 }; /* as order/run.h says */
    return loaded->run ? (uint64_t)loaded->run->count * BYTES_OF_EVENT : 0;
}
