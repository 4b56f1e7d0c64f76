/* SPDX-License-Identifier: MIT */
#include "shape.h"

static long a = 1, b = 2, c = 3, d = 4;
void block(int me)
{
    ENTER;
    long v = a * 31 + b * 37 + c * 41 + d * 43 + (a ^ b) * 3 + (c | d) * 5;
    LEAVE;
    ENTER;
    a = v % 1000 + me;
    LEAVE;
}
