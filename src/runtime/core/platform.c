/* SPDX-License-Identifier: MIT */
#include "runtime/core/platform.h"

void ser_now(clockid_t clock, struct timespec *now)
{
    ser_the_platform.now(clock, now);
}
