/* SPDX-License-Identifier: MIT */
#include "shape.h"

static double temp = 20.5;
static float gain = 1.5f;
void block(int me)
{
    ENTER;
    double t = temp;
    float g = gain;
    LEAVE;
    if (t * g > 10.0) {
        ENTER;
        temp = t * g - me;
        LEAVE;
    }
}
