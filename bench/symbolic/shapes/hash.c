/* SPDX-License-Identifier: MIT */
#include "shape.h"

static unsigned char k[4] = {1, 2, 3, 4};
void block(int me)
{
    unsigned h = 5381;
    ENTER;
    for (int i = 0; i < 4; i++)
        h = h * 33 ^ k[i];
    LEAVE;
    if (h > 77) {
        ENTER;
        k[1] = (unsigned char)(h >> 3);
        LEAVE;
    }
}
