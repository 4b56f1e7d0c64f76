/* SPDX-License-Identifier: MIT */
/*
 * A payload starts with a directory: how many columns there are, and the size of
 * each; then they follow in a row. Loops over planes are written so that compilers vectorise them.
 */
#include "trace/native/native_columns.h"

#include <string.h>

bool ser_native_find_columns(ser_native_bytes block,
                             ser_native_bytes columns[SER_NATIVE_MOST_COLUMNS])
{
    const uint8_t *count = ser_native_bytes_take(&block, 1);
    uint64_t sizes[SER_NATIVE_MOST_COLUMNS];
    if (!count || *count < SER_COLUMN_COUNT || *count > SER_NATIVE_MOST_COLUMNS)
        return false;
    for (int i = 0; i < *count; i++)
        sizes[i] = ser_native_bytes_varint(&block);
    for (int i = 0; i < *count; i++) {
        const uint8_t *start = ser_native_bytes_take(&block, sizes[i]);
        columns[i] = (ser_native_bytes){start, start ? start + sizes[i] : NULL, false};
    }
    return !block.bad;
}

bool ser_native_read_list(ser_native_bytes bytes, uint64_t limit, uint32_t events, uint32_t *list,
                          uint32_t *count)
{
    uint32_t number = 0;
    for (*count = 0; bytes.at < bytes.end; ++*count) {
        number += ser_unzigzag32((uint32_t)ser_native_bytes_varint(&bytes));
        if (bytes.bad || number >= limit || *count == events)
            return false;
        list[*count] = number;
    }
    return true;
}

static bool is_empty(const ser_native_bytes *plane)
{
    return plane->at == plane->end;
}

/* A plane is as long as the block, or empty, and then stands for zeros. */
static bool planes_fit(const ser_native_bytes *planes, int count, uint32_t events)
{
    for (int i = 0; i < count; i++)
        if (!is_empty(&planes[i]) && planes[i].end - planes[i].at != (ptrdiff_t)events)
            return false;
    return true;
}

static void join_index(const ser_native_bytes planes[SER_INDEX_PLANES], uint32_t events,
                       uint16_t *index)
{
    const uint8_t *low = planes[0].at, *high = planes[1].at;
    if (is_empty(&planes[0]))
        memset(index, 0, events * sizeof *index);
    else
        for (uint32_t i = 0; i < events; i++)
            index[i] = low[i];
    if (!is_empty(&planes[1]))
        for (uint32_t i = 0; i < events; i++)
            index[i] |= (uint16_t)(high[i] << 8);
}

/* Counts bytes in four tables, so that in a run of equal ones an addition does
 * not have to wait for the one before. */
static void count_bytes(const uint8_t *bytes, uint32_t count, uint32_t *times)
{
    uint32_t tables[4][SER_NATIVE_LEAST_KEYS] = {{0}}, i = 0;
    for (; i + 4 <= count; i += 4) {
        tables[0][bytes[i]]++;
        tables[1][bytes[i + 1]]++;
        tables[2][bytes[i + 2]]++;
        tables[3][bytes[i + 3]]++;
    }
    for (; i < count; i++)
        tables[0][bytes[i]]++;
    for (i = 0; i < SER_NATIVE_LEAST_KEYS; i++)
        times[i] = tables[0][i] + tables[1][i] + tables[2][i] + tables[3][i];
}

static void count_index(const uint16_t *index, uint32_t events, uint32_t key_count, uint32_t *times)
{
    memset(times, 0, key_count * sizeof *times);
    for (uint32_t i = 0; i < events && index[i] < key_count; i++)
        times[index[i]]++;
}

bool ser_native_read_index(const ser_native_bytes planes[SER_INDEX_PLANES], uint32_t events,
                           uint32_t key_count, uint16_t *index, uint32_t *next)
{
    uint32_t counted = 0;
    if (!planes_fit(planes, SER_INDEX_PLANES, events))
        return false;
    join_index(planes, events, index);
    if (is_empty(&planes[1]) && !is_empty(&planes[0]))
        count_bytes(planes[0].at, events, next);
    else
        count_index(index, events, key_count, next);
    for (uint32_t key = 0; key < key_count; key++)
        counted += next[key];
    ser_native_first_places(next, key_count);
    return counted == events; /* else some keys are not in the list */
}

bool ser_native_read_objects(const ser_native_bytes planes[SER_OBJECT_PLANES], uint32_t events,
                             uint32_t *differences)
{
    if (!planes_fit(planes, SER_OBJECT_PLANES, events))
        return false;
    memset(differences, 0, events * sizeof *differences);
    for (int plane = 0; plane < SER_OBJECT_PLANES; plane++) {
        const uint8_t *bytes = planes[plane].at;
        size_t size = is_empty(&planes[plane]) ? 0 : events;
        for (size_t i = 0; i < size; i++)
            differences[i] |= (uint32_t)bytes[i] << 8 * plane;
    }
    return true;
}
