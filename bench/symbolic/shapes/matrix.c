/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
void block(int me)
{
    int s = 0;
    ENTER;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            s += a[i][j];
    LEAVE;
    if (s > 10) {
        ENTER;
        a[1][1] = s;
        LEAVE;
    }
}
