/* SPDX-License-Identifier: MIT */
#include "shape.h"

static int bal = 100, tab[64];
__attribute__((noinline)) static int get(int k)
{
    int r = 0;
    ENTER;
    for (int i = 0; i < k; i++)
        tab[i + 8 * k] = i;
    r = bal;
    for (int i = 0; i < k; i++)
        tab[i + 8 * k] += i;
    for (int i = 1; i < k; i++)
        tab[i + 8 * k] ^= i;
    for (int i = 1; i < k; i++)
        tab[i + 8 * k] |= i;
    for (int i = 1; i < k; i++)
        tab[i + 8 * k] -= i;
    LEAVE;
    return r;
}
__attribute__((noinline)) static void set(int v)
{
    ENTER;
    bal = v;
    LEAVE;
}
void block(int me)
{
    int b = get(me);
    if (b >= 10)
        set(b - 5 * me);
}
