/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int x = 3, y = 4, z = 20;
void block(int me)
{
    ENTER;
    int a = x, b = y, c = z;
    LEAVE;
    if (a * b < c && a != 0) {
        ENTER;
        z = c + a * b + me;
        LEAVE;
    }
}
