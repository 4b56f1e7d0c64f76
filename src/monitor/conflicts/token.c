/* SPDX-License-Identifier: MIT */
#include "monitor/conflicts/token.h"

static const struct {
    const char *name;
    ser_space space;
} EDGES[] = {
    [SER_EDGE_PROGRAM_ORDER] = {"program order", SER_SPACE_THREAD},
    [SER_EDGE_VARIABLE] = {"variable", SER_SPACE_VARIABLE},
    [SER_EDGE_LOCK] = {"lock", SER_SPACE_LOCK},
    [SER_EDGE_FORK] = {"fork", SER_SPACE_THREAD},
    [SER_EDGE_JOIN] = {"join", SER_SPACE_THREAD},
    [SER_EDGE_NOTIFY] = {"notify", SER_SPACE_CONDITION},
    [SER_EDGE_BARRIER] = {"barrier", SER_SPACE_BARRIER},
    [SER_EDGE_SEMAPHORE] = {"semaphore", SER_SPACE_SEMAPHORE},
};

const char *ser_edge_name(ser_edge_kind kind)
{
    return EDGES[kind].name;
}

ser_space ser_edge_space(ser_edge_kind kind)
{
    return EDGES[kind].space;
}
