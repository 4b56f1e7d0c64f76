/* SPDX-License-Identifier: MIT */
#include "cli/load_run.h"

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

ser_status ser_load_run(ser_source *source, ser_run **run, ser_counts *counts, ser_error *error)
{
    ser_run_builder *builder = ser_run_builder_create(ser_trace_symbols(source->trace));
    ser_statistics *statistics = ser_statistics_create();
    ser_status status = add_events(source, builder, statistics, error);
    *counts = ser_statistics_counts(statistics);
    ser_statistics_destroy(statistics);
    if (status == SER_OK)
        *run = ser_run_builder_finish(builder);
    else
        ser_run_builder_discard(builder);
    return status;
}
