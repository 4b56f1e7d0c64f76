/* SPDX-License-Identifier: MIT */
#include "shape.h"

static char name[8] = "abc";
void block(int me)
{
    char c[8];
    ENTER;
    strcpy(c, name);
    LEAVE;
    ENTER;
    name[0] = (char)(c[0] + me);
    LEAVE;
}
