/* SPDX-License-Identifier: MIT */
#include "shape.h"

static double a[3] = {1, 2, 3};
void block(int me)
{
    double s = 0;
    ENTER;
    for (int i = 0; i < 3; i++)
        s += a[i];
    LEAVE;
    if (s / 3 > 1.5) {
        ENTER;
        a[1] = s;
        LEAVE;
    }
}
