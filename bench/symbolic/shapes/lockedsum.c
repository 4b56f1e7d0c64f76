/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[4] = {5, 6, 7, 8};
static int at(int i)
{
    ENTER;
    int v = a[i];
    LEAVE;
    return v;
}
void block(int me)
{
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += at(i);
    if (s > 15) {
        ENTER;
        a[1] += 1;
        LEAVE;
    }
}
