/* SPDX-License-Identifier: MIT */
#include "trace/reads.h"

void ser_reads_init(ser_reads *reads, uint32_t count)
{
    *reads = (ser_reads){0};
    ser_vector_extend(&reads->rules, (size_t)count + 1);
    ser_vector_extend(&reads->writes_anyway, (size_t)count + 1);
    ser_vector_extend(&reads->writes_known, (size_t)count + 1);
    ser_vector_push(&reads->sets, ((ser_accept_set){0}));
}

void ser_reads_fini(ser_reads *reads)
{
    ser_vector_free(&reads->rules);
    ser_vector_free(&reads->writes_anyway);
    ser_vector_free(&reads->writes_known);
    ser_vector_free(&reads->sets);
    ser_vector_free(&reads->accepted);
}

uint32_t ser_reads_add_set(ser_reads *reads, const uint32_t *writes, size_t count)
{
    ser_accept_set set = {reads->accepted.count, count};
    for (size_t i = 0; i < count; i++)
        ser_vector_push(&reads->accepted, writes[i]);
    ser_vector_push(&reads->sets, set);
    return (uint32_t)reads->sets.count - 1;
}

bool ser_reads_accepts(const ser_reads *reads, uint32_t read, uint32_t write)
{
    const ser_accept_set *set = ser_reads_accept_set(reads, read);
    size_t low = set->first, high = set->first + set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reads->accepted.items[middle] < write)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->first + set->count && reads->accepted.items[low] == write;
}
