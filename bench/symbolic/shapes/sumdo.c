/* SPDX-License-Identifier: MIT */
#include "shape.h"

static long q[3] = {1, 2, 3};
void block(int me)
{
    long s = 0;
    int i = 0;
    ENTER;
    do
        s += q[i];
    while (++i < 3);
    LEAVE;
    if (s > 4) {
        ENTER;
        q[1] = s + 1;
        LEAVE;
    }
}
