/* SPDX-License-Identifier: MIT */
#include "shape.h"

struct n {
    int v;
    struct n *next;
};
static struct n c = {3, 0}, b = {2, &c}, a = {1, &b}, *head = &a;
void block(int me)
{
    int s = 0;
    ENTER;
    for (struct n *p = head; p; p = p->next)
        s += p->v;
    LEAVE;
    ENTER;
    b.v = s + me;
    LEAVE;
}
