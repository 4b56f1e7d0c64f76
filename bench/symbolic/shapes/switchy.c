/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int st = 1;
void block(int me)
{
    ENTER;
    int s = st;
    LEAVE;
    switch (s) {
    case 1:
    case 2:
    case 3:
        ENTER;
        st = s + me;
        LEAVE;
        break;
    case 7:
        ENTER;
        st = 0;
        LEAVE;
        break;
    default:
        ENTER;
        st = 1;
        LEAVE;
        break;
    }
}
