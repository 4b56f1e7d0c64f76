/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[3] = {1, 2, 3}, bound = 5;
void block(int me)
{
    int s = 0;
    ENTER;
    int bd = bound;
    for (int i = 0; i < 3; i++)
        s += a[i];
    LEAVE;
    if (s > bd) {
        ENTER;
        a[1] = s;
        LEAVE;
    }
}
