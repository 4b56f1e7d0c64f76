/* SPDX-License-Identifier: MIT */
#include "shape.h"

struct s {
    char c;
    int n;
    long l;
};
static struct s x = {1, 2, 3};
void block(int me)
{
    ENTER;
    struct s c = x;
    LEAVE;
    if (c.n > 0) {
        c.n += me;
        ENTER;
        x = c;
        LEAVE;
    }
}
