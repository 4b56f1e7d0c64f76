/* SPDX-License-Identifier: MIT */
#include "session/loaded.h"

static ser_status add_events(ser_source *source, ser_run_builder *builder,
                             ser_statistics *statistics, ser_error *error)
{
    ser_batch batch;
    for (;;) {
        ser_status status = ser_source_next(source, &batch, error);
        if (status != SER_OK || batch.count == 0)
            return status;
        status = ser_run_builder_add(builder, batch.events, batch.count, error);
        if (status != SER_OK)
            return status;
        ser_statistics_add(statistics, batch.events, batch.count);
    }
}

ser_status ser_loaded_open(ser_loaded *loaded, const ser_source_settings *settings,
                           ser_error *error)
{
    *loaded = (ser_loaded){0};
    return ser_source_open(&loaded->source, settings, error);
}

static void tell_kinds(ser_loaded *loaded)
{
    for (size_t i = 0; i < loaded->run->blocks.count; i++)
        loaded->run->blocks.items[i].kind = ser_trace_block_kind(loaded->source.trace, i);
}

ser_status ser_loaded_read(ser_loaded *loaded, ser_error *error)
{
    ser_source *source = &loaded->source;
    ser_run_builder *builder = ser_run_builder_create(ser_trace_symbols(source->trace));
    ser_statistics *statistics = ser_statistics_create();
    ser_status status = add_events(source, builder, statistics, error);
    loaded->counts = ser_statistics_counts(statistics);
    ser_statistics_destroy(statistics);
    if (status == SER_OK) {
        loaded->run = ser_run_builder_finish(builder);
        tell_kinds(loaded);
    } else
        ser_run_builder_discard(builder);
    return status;
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

void ser_loaded_close(ser_loaded *loaded)
{
    if (!loaded->abandoned)
        ser_run_destroy(loaded->run);
    ser_source_close(&loaded->source);
    ser_symbols_destroy(loaded->symbols);
    ser_vector_free(&loaded->inputs);
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
