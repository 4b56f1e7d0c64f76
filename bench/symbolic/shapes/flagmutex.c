/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int busy, data;
void block(int me)
{
    ENTER;
    int b = busy;
    if (!b)
        busy = 1;
    LEAVE;
    if (!b) {
        ENTER;
        data++;
        LEAVE;
        ENTER;
        data += me;
        LEAVE;
        ENTER;
        busy = 0;
        LEAVE;
    }
}
