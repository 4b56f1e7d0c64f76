/* SPDX-License-Identifier: MIT */
/*
 * nodes.h - inside of access/: recorded accesses of a container's nodes, at the place of the
 * interposed call.
 */
#ifndef SER_RUNTIME_ACCESS_NODES_H
#define SER_RUNTIME_ACCESS_NODES_H

#include "runtime/access/access.h"

static inline void *ser_node_get(const void *field)
{
    ser_runtime_access access = {
        .kind = SER_ACCESS_LOAD, .size = sizeof(void *), .address = (void *)(uintptr_t)field};
    ser_access_do_words(&access, 0);
    return (void *)(uintptr_t)access.old.word; // NOLINT(performance-no-int-to-ptr)
}

static inline void ser_node_set(void *field, const void *value)
{
    ser_runtime_access access = {.kind = SER_ACCESS_STORE,
                                 .size = sizeof(void *),
                                 .address = field,
                                 .value.word = (uintptr_t)value};
    ser_access_do_words(&access, 0);
}

#endif
