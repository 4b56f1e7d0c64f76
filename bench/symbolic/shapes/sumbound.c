/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[3] = {1, 2, 3}, bound = 5;
void block(int me)
{
    int s = 0;
    ENTER;
    for (int i = 0; i < 3; i++)
        s += a[i];
    LEAVE;
    ENTER;
    int ok = s > bound;
    LEAVE;
    if (ok) {
        ENTER;
        a[1] = s;
        LEAVE;
    }
}
