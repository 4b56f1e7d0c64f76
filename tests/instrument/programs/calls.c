/* SPDX-License-Identifier: MIT */
/* Entry and exit: recursion, tail calls, longjmp, functions that are left alone. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <seriatim/annotate.h>

static jmp_buf back;
static int level, secret;

static int small(int n)
{
    level++;
    return n + 1;
}
/* LOG: ^enter1 small at calls.c:12 */

static int empty(int n)
{
    return n * 3 - 6;
}
/* NOT: empty */

static int last(int n)
{
    level += n;
    return n * 2;
}

static int musttail(int n)
{
    if (level++ > 5)
        return n;
    __attribute__((musttail)) return last(n + 1);
}
/* ORDER: ^enter1 musttail at calls.c:31 */
/* ORDER: ^leave1$ */
/* ORDER: ^enter1 last at calls.c:25 */
/* ORDER: ^leave1$ */

static void jump(int depth)
{
    if (depth == 0)
        longjmp(back, 7);
    jump(depth - 1);
    level++;
}
/* ORDER: ^enter1 jump */
/* ORDER: ^enter2 jump */
/* ORDER: ^enter3 jump */

/* ORDER: ^arrive0 from 4 */

SERIATIM_ATOMIC_FUNCTION static void whole(void)
{
    level += 2;
}
/* ORDER: ^enter1 whole at calls.c:55 */
/* ORDER: ^begin whole in whole at calls.c:55 */
/* ORDER: ^store4 level in whole */
/* ORDER: ^end in whole */
/* ORDER: ^leave1 */

SERIATIM_IGNORE_FUNCTION __attribute__((noinline)) static void hidden(void)
{
    secret++;
}

__attribute__((noinline, disable_sanitizer_instrumentation)) static void unseen(void)
{
    secret++;
}
/* NOT: hidden|unseen|secret */

__attribute__((naked)) void nothing(void);
__attribute__((naked)) void nothing(void)
{
#ifdef __x86_64__
    __asm__("ret");
#else
    __asm__("nop\n\tret");
#endif
}

static void scopes(void)
{
    SERIATIM_ATOMIC_SCOPE("scope");
    level++;
    SERIATIM_ATOMIC_BEGIN("inner");
    level--;
    SERIATIM_ATOMIC_END();
    SERIATIM_IGNORE_BEGIN();
    SERIATIM_IGNORE_END();
}
/* ORDER: ^enter1 scopes */
/* ORDER: ^begin scope in scopes at calls.c:88 */
/* ORDER: ^begin inner in scopes at calls.c:90 */
/* ORDER: ^end in scopes at calls.c:92 */
/* ORDER: ^ignore */
/* ORDER: ^heed */
/* ORDER: ^end in scopes at calls.c:88 */
/* ORDER: ^leave1 */

int main(void)
{
    printf("%d\n", small(empty(3)));
    printf("%d\n", musttail(2));
    if (setjmp(back) == 0)
        jump(2);
    whole();
    hidden();
    unseen();
    nothing();
    scopes();
    printf("%d %d\n", level, abs(-3));
    return 0;
}
/* ORDER: ^at0 \? in main at calls.c:116 */
/* ORDER: ^leave0$ */
/* COPY: ^(begin|end|ignore$|heed$) */
