/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a = 5, b = 6, which = 1;
void block(int me)
{
    ENTER;
    int *p = which > 0 ? &a : &b;
    LEAVE;
    ENTER;
    *p = *p + 1;
    LEAVE;
    ENTER;
    which = which + me;
    LEAVE;
}
