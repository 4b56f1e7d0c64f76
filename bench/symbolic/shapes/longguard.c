/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
void block(int me)
{
    ENTER;
    int v = a + b + c + d + e + f + g + h;
    int w = a * b - c * d + e * f - g * h;
    LEAVE;
    if (v + w > -50) {
        ENTER;
        c = me;
        LEAVE;
    }
}
