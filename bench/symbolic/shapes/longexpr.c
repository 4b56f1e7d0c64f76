/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a = 1, b = 2, c = 3, d = 4, e = 5;
void block(int me)
{
    ENTER;
    int v = ((a * 3 + b * 5 - c * 7) ^ (d * 11 + e * 13)) + ((a + b) * (c + d) * (e + a)) -
            (a * b * c * d * e);
    LEAVE;
    if (v > -100000) {
        ENTER;
        c = v + me;
        LEAVE;
    }
}
