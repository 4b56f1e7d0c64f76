/* SPDX-License-Identifier: MIT */
#include "shape.h"

struct f {
    unsigned a : 3, b : 5, c : 8;
};
static struct f x = {1, 2, 3};
void block(int me)
{
    ENTER;
    unsigned c = x.c;
    LEAVE;
    if (c > 2) {
        ENTER;
        x.c = c + (unsigned)me;
        LEAVE;
    }
}
