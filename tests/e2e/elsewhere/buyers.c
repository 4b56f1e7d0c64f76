/* SPDX-License-Identifier: MIT */
/* What two buyers may spend is looked at and taken: with WRONG in two critical sections of a lock
 * that is in a library. */
#include <stdio.h>

void wrapped_MutexLock(void);
void wrapped_MutexUnlock(void);
void wrapped_call_twice(void (*callback)(void));

static int credit = 100;

static void buy(void)
{
    wrapped_MutexLock();
    int has = credit >= 70;
#ifdef WRONG
    wrapped_MutexUnlock();
    if (!has)
        return;
    wrapped_MutexLock();
#endif
    if (has)
        credit -= 70;
    wrapped_MutexUnlock();
}

int main(void)
{
    wrapped_call_twice(buy);
    printf("%d\n", credit);
}
