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
    struct s c;
    ENTER;
    memcpy(&c, &x, sizeof c);
    LEAVE;
    if (c.n > 0) {
        ENTER;
        x.n = c.n + me;
        LEAVE;
    }
}
