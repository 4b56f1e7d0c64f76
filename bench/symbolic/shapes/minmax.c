/* SPDX-License-Identifier: MIT */
#include "shape.h"

static unsigned x = 30, lim = 100;
void block(int me)
{
    ENTER;
    unsigned a = x;
    LEAVE;
    ENTER;
    unsigned l = lim;
    LEAVE;
    unsigned v = a < l ? a : l;
    ENTER;
    x = v + (unsigned)me;
    LEAVE;
}
