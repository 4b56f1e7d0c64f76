/* SPDX-License-Identifier: MIT */
#include "replay/inputs.h"

#include <string.h>

#include "contract/inputs.h"
#include "trace/native/native_aside.h"
#include "trace/native/native_format.h"

enum { THREADS = 1 << 16 }; /* that a record can name */

/* Keeps the order of each thread. */
static void order_by_thread(ser_input_list *inputs, const ser_record *records, size_t count)
{
    size_t *places = ser_alloc(THREADS + 1, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[records[i].thread + 1]++;
    for (size_t thread = 0; thread < THREADS; thread++)
        places[thread + 1] += places[thread];
    ser_vector_reserve(inputs, count);
    for (size_t i = 0; i < count; i++)
        inputs->items[places[records[i].thread]++] = records[i];
    inputs->count = count;
    free(places);
}

ser_status ser_inputs_load(ser_input_list *inputs, const char *trace, ser_error *error)
{
    ser_byte_list bytes = {0};
    ser_status status = ser_native_read_aside(trace, SER_NATIVE_INPUTS, &bytes, error);
    size_t count = bytes.count / sizeof(ser_record);
    if (status == SER_OK && count > 0) {
        ser_record *records = ser_alloc(count, sizeof *records);
        memcpy(records, bytes.items, count * sizeof *records);
        order_by_thread(inputs, records, count);
        free(records);
    }
    ser_vector_free(&bytes);
    return status;
}

bool ser_inputs_have_time(const ser_input_list *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->items[i].op == SER_RAW_INPUT &&
            (inputs->items[i].object & 0xff) == SER_ASKS_CLOCK)
            return true;
    return false;
}

void ser_inputs_renumber(ser_input_list *to, const ser_input_list *inputs, const ser_plan *plan)
{
    uint16_t *created = ser_alloc(THREADS, sizeof *created);
    ser_record *renamed = ser_alloc(inputs->count + 1, sizeof *renamed);
    for (uint32_t number = 0; number < THREADS; number++)
        created[number] = (uint16_t)number;
    for (uint32_t thread = 0; thread < plan->created.count; thread++)
        if (plan->run->threads.items[thread].number < THREADS)
            created[plan->run->threads.items[thread].number] =
                (uint16_t)plan->created.items[thread];
    for (size_t i = 0; i < inputs->count; i++) {
        renamed[i] = inputs->items[i];
        renamed[i].thread = created[renamed[i].thread];
    }
    order_by_thread(to, renamed, inputs->count);
    free(renamed);
    free(created);
}
