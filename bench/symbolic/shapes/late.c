/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int r = 3, rc;
void block(int me)
{
    ENTER;
    int v = r;
    LEAVE;
    ENTER;
    rc = v - 1;
    LEAVE;
    ENTER;
    r = v + me;
    LEAVE;
    if (v == 3) {
        ENTER;
        rc = 9;
        LEAVE;
    }
}
