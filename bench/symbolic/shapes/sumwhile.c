/* SPDX-License-Identifier: MIT */
#include "shape.h"

static long q[3] = {1, 2, 3};
static int n = 3;
void block(int me)
{
    long s = 0;
    int i = 0;
    ENTER;
    while (i < n) {
        s += q[i] * 2;
        i++;
    }
    LEAVE;
    ENTER;
    if (s > 4)
        q[1] = s;
    LEAVE;
}
