/* SPDX-License-Identifier: MIT */
#include "shape.h"

static unsigned long mask = 0xf0;
static unsigned char k = 4;
void block(int me)
{
    ENTER;
    unsigned long w = mask;
    unsigned s = k;
    LEAVE;
    if ((w >> s) & 1) {
        ENTER;
        mask = w | (1ul << (9 + me));
        LEAVE;
    }
}
