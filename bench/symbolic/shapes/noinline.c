/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int bal = 100;
__attribute__((noinline)) static int get(void)
{
    ENTER;
    int b = bal;
    LEAVE;
    return b;
}
__attribute__((noinline)) static void set(int v)
{
    ENTER;
    bal = v;
    LEAVE;
}
void block(int me)
{
    int b = get();
    if (b >= 10)
        set(b - 5 * me);
}
