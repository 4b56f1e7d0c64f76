/* SPDX-License-Identifier: MIT */
#include "session/run/kept.h"

#include "base/host.h"

static bool has_room(const ser_kept *kept, const ser_loaded *loaded)
{
    return kept->bytes + ser_loaded_bytes(loaded) <= ser_host_memory() / 8;
}

static void put(ser_kept *kept, size_t number, const ser_loaded *loaded,
                const ser_prediction *prediction)
{
    ser_kept_trace trace = {number, *loaded, *prediction};
    kept->bytes += ser_loaded_bytes(loaded);
    ser_vector_push(&kept->traces, trace);
}

void ser_kept_add(ser_kept *kept, size_t number, ser_loaded *loaded, ser_prediction *prediction)
{
    if (has_room(kept, loaded)) {
        ser_loaded_leave_file(loaded);
        put(kept, number, loaded, prediction);
    } else {
        ser_prediction_fini(prediction);
        ser_loaded_close(loaded);
    }
    *loaded = (ser_loaded){0};
    *prediction = (ser_prediction){0};
}

/* Closes the traces before a number. */
static void close_before(ser_kept *kept, size_t number)
{
    size_t left = 0;
    for (size_t i = 0; i < kept->traces.count; i++) {
        ser_kept_trace *trace = &kept->traces.items[i];
        if (trace->number < number) {
            kept->bytes -= ser_loaded_bytes(&trace->loaded);
            ser_prediction_fini(&trace->prediction);
            ser_loaded_close(&trace->loaded);
        } else {
            kept->traces.items[left++] = *trace;
        }
    }
    kept->traces.count = left;
}

static ser_kept_trace *find(const ser_kept *kept, size_t number)
{
    for (size_t i = 0; i < kept->traces.count; i++)
        if (kept->traces.items[i].number == number)
            return &kept->traces.items[i];
    return NULL;
}

ser_kept_trace *ser_kept_find(const ser_kept *kept, size_t number)
{
    ser_kept_trace *trace = find(kept, number);
    return trace && trace->prediction.run ? trace : NULL;
}

ser_status ser_kept_get(ser_kept *kept, size_t number, const ser_source_settings *settings,
                        ser_loaded **loaded, ser_error *error)
{
    ser_loaded read;
    close_before(kept, number);
    const ser_prediction none = {0};
    ser_kept_trace *trace = find(kept, number);
    if (trace) {
        *loaded = &trace->loaded;
        return SER_OK;
    }
    ser_status status = ser_loaded_make(&read, settings, error);
    if (status != SER_OK) {
        ser_loaded_close(&read);
        return status;
    }
    put(kept, number, &read, &none);
    *loaded = &find(kept, number)->loaded;
    return SER_OK;
}

void ser_kept_fini(ser_kept *kept)
{
    close_before(kept, SIZE_MAX);
    ser_vector_free(&kept->traces);
}
