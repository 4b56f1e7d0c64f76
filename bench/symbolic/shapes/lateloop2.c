/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int end = 3, buf[8];
void block(int me)
{
    ENTER;
    int e = end;
    LEAVE;
    for (int i = 0; i < e; i++) {
        ENTER;
        buf[i] = me;
        LEAVE;
    }
    ENTER;
    end = e + 1;
    LEAVE;
}
