/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[4] = {5, 6, 7, 8};
void block(int me)
{
    int s = 0;
    ENTER;
    for (int i = 0; i < 4; i++) {
        s += a[i];
        if (s > 15)
            break;
    }
    LEAVE;
    ENTER;
    a[1] = a[1] + s % 2;
    LEAVE;
}
