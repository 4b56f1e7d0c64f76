/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[4] = {1, 1, 1, 1}, hits;
void block(int me)
{
    int n = 0;
    ENTER;
    for (int i = 0; i < 4; i++)
        if (a[i] > 0)
            n++;
    LEAVE;
    if (n >= 2) {
        ENTER;
        a[1] = 5;
        LEAVE;
        ENTER;
        hits += n;
        LEAVE;
    }
}
