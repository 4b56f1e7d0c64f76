/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int busy[2], data;
void block(int me)
{
    int s = 0;
    ENTER;
    for (int i = 0; i < 2; i++)
        s += busy[i];
    if (!s)
        busy[me - 1] = 1;
    LEAVE;
    if (!s) {
        ENTER;
        data++;
        LEAVE;
        ENTER;
        data += me;
        LEAVE;
        ENTER;
        busy[me - 1] = 0;
        LEAVE;
    }
}
