/* SPDX-License-Identifier: MIT */
#include "shape.h"

static char name[16] = "abc";
void block(int me)
{
    int n = 0;
    ENTER;
    while (name[n])
        n++;
    LEAVE;
    ENTER;
    name[n - 1] = (char)('a' + me);
    LEAVE;
}
