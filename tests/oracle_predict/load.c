/* SPDX-License-Identifier: MIT */
#include "load.h"

#include "draw_values.h"

ser_run *load_sample(const sample *s)
{
    ser_error error;
    ser_run_builder *builder = ser_run_builder_create(NULL);
    ser_status status = ser_run_builder_add(builder, s->events.items, s->events.count, &error);
    ser_check(status == SER_OK);
    ser_run *run = ser_run_builder_finish(builder);
    run->symbols = guard_symbols();
    run->reads = s->by_value ? NULL : s->world.reads;
    ser_check(run->blocks.count == s->world.block_count);
    for (size_t i = 0; i < run->blocks.count; i++)
        ser_check(run->blocks.items[i].begin == s->world.blocks[i].begin);
    return run;
}
