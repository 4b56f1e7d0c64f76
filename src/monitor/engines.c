/* SPDX-License-Identifier: MIT */
#include "monitor/engine.h"

#include <string.h>

const ser_engine *const ser_engines[] = {
    &ser_engine_summaries,
    &ser_engine_velodrome,
    &ser_engine_aerodrome,
    NULL,
};

const ser_engine *ser_engine_by_name(const char *name)
{
    for (size_t i = 0; ser_engines[i]; i++)
        if (strcmp(ser_engines[i]->name, name) == 0)
            return ser_engines[i];
    return NULL;
}
