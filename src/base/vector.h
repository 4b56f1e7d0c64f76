/* SPDX-License-Identifier: MIT */
/*
 * vector.h - a growing array of any type.
 *
 *     SER_VECTOR(uint64_t) numbers = {0};
 *     ser_vector_push(&numbers, 7);
 *     for (size_t i = 0; i < numbers.count; i++) use(numbers.items[i]);
 *     ser_vector_free(&numbers);
 *
 * An all-zero vector is empty and valid. Items move when the vector grows.
 */
#ifndef SER_BASE_VECTOR_H
#define SER_BASE_VECTOR_H

#include <string.h>

#include "base/memory.h"

#define SER_VECTOR(type)                                                                           \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/* Makes room for `wanted` items in all. */
#define ser_vector_reserve(vector, wanted)                                                         \
    do {                                                                                           \
        if ((size_t)(wanted) > (vector)->capacity) {                                               \
            (vector)->capacity = ser_grown_capacity((vector)->capacity, (wanted));                 \
            (vector)->items =                                                                      \
                ser_resize((vector)->items, (vector)->capacity, sizeof *(vector)->items);          \
        }                                                                                          \
    } while (0)

#define ser_vector_push(vector, item)                                                              \
    do {                                                                                           \
        ser_vector_reserve((vector), (vector)->count + 1);                                         \
        (vector)->items[(vector)->count++] = (item);                                               \
    } while (0)

/* Makes the vector at least `wanted` long; new items are zero. */
#define ser_vector_extend(vector, wanted)                                                          \
    do {                                                                                           \
        size_t ser_wanted_ = (wanted);                                                             \
        if (ser_wanted_ > (vector)->count) {                                                       \
            ser_vector_reserve((vector), ser_wanted_);                                             \
            memset((vector)->items + (vector)->count, 0,                                           \
                   (ser_wanted_ - (vector)->count) * sizeof *(vector)->items);                     \
            (vector)->count = ser_wanted_;                                                         \
        }                                                                                          \
    } while (0)

/* A pointer to the item at an index, which is made, zeroed, if it is not there.
 * Valid until the vector grows. */
#define ser_vector_slot(vector, index)                                                             \
    __extension__({                                                                                \
        size_t ser_index_ = (index);                                                               \
        if (__builtin_expect(ser_index_ >= (vector)->count, 0))                                    \
            ser_vector_extend(vector, ser_index_ + 1);                                             \
        &(vector)->items[ser_index_];                                                              \
    })

#define ser_vector_free(vector)                                                                    \
    do {                                                                                           \
        free((vector)->items);                                                                     \
        (vector)->items = NULL;                                                                    \
        (vector)->count = (vector)->capacity = 0;                                                  \
    } while (0)

#endif
