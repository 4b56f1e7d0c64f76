/* SPDX-License-Identifier: MIT */
#include "monitor/engine.h"

#include <string.h>

const ser_engine *const ser_engines[] = {
#define SER_X(name, help) &ser_engine_##name,
    SER_ENGINES(SER_X)
#undef SER_X
        NULL,
};

const ser_engine *ser_engine_by_name(const char *name)
{
    for (size_t i = 0; ser_engines[i]; i++)
        if (strcmp(ser_engines[i]->name, name) == 0)
            return ser_engines[i];
    return NULL;
}
