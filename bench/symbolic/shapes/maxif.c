/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[4] = {3, 9, 2, 5};
void block(int me)
{
    int b = 0;
    ENTER;
    for (int i = 0; i < 4; i++)
        if (a[i] > b)
            b = a[i];
    LEAVE;
    if (b < 100) {
        ENTER;
        a[1] = b - 1;
        LEAVE;
    }
}
