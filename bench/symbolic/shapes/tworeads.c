/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int lo = 1, hi = 90;
void block(int me)
{
    ENTER;
    int l = lo;
    LEAVE;
    ENTER;
    int h = hi;
    LEAVE;
    if (l < h) {
        ENTER;
        lo = l + me;
        hi = h - me;
        LEAVE;
    }
}
