/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
void block(int me)
{
    int s = 0;
    ENTER;
    for (int i = 0; i < 3; i++)
        s += a[i] * b[i];
    LEAVE;
    if (s > 10) {
        ENTER;
        a[1] = s;
        LEAVE;
    }
}
