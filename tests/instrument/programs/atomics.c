/* SPDX-License-Identifier: MIT */
/* Every kind of atomic access, against what the machine does. */
/* FLAGS: -mcx16 */
#include <stdatomic.h>
#include <stdio.h>

static _Atomic signed char small;
static _Atomic unsigned short medium;
static _Atomic int number;
static _Atomic long large;
static _Atomic double real;
static int *_Atomic pointer;
static __int128 huge;
static _Atomic _Bool ready;
static int plain[2];

int main(void)
{
    int expected = 3;
    atomic_store(&number, 5);
    printf("%d", atomic_fetch_add_explicit(&number, 3, memory_order_relaxed));
    printf(" %d", atomic_fetch_sub(&number, 1));
    printf(" %d", atomic_fetch_and(&number, 6));
    printf(" %d", atomic_fetch_or(&number, 9));
    printf(" %d", atomic_fetch_xor(&number, 5));
    printf(" %d", __atomic_fetch_nand((int *)&number, 7, __ATOMIC_SEQ_CST));
    printf(" %d", __atomic_fetch_max((int *)&number, -1, __ATOMIC_SEQ_CST));
    printf(" %d", __atomic_fetch_min((int *)&number, -2, __ATOMIC_SEQ_CST));
    printf(" %d", atomic_exchange(&number, 4));
    printf(" %d", atomic_compare_exchange_strong(&number, &expected, 9));
    printf(" %d", atomic_compare_exchange_weak(&number, &expected, 9));
    printf(" %d %d\n", expected, atomic_load(&number));

    small = -3;
    small += 5;
    medium--;
    large ^= 1L << 40;
    real += 1.5;
    pointer = plain;
    pointer++;
    ready = 1;
    atomic_thread_fence(memory_order_seq_cst);
    __int128 old = 0, wanted = (__int128)7 << 64;
    int stored = __atomic_compare_exchange(&huge, &old, &wanted, 0, 5, 5);
    printf("%d %d %ld %g %d %d", small, medium, large, real, pointer == plain + 1, ready);
    printf(" %d %d\n", stored, (int)(huge >> 64));
    return 0;
}
/* ORDER: ^atomic_store4 number in main at atomics.c:20$ */
/* ORDER: ^rmw4 number in main at atomics.c:21 modifies$ */
/* ORDER: ^rmw4 number in main at atomics.c:28 modifies$ */
/* ORDER: ^compare_exchange4 number in main at atomics.c:30$ */
/* ORDER: ^atomic_load4 number in main at atomics.c:32$ */
/* LOG: ^rmw1 small */
/* LOG: ^rmw2 medium */
/* LOG: ^rmw8 large */
/* LOG: ^compare_exchange8 real */
/* LOG: ^(rmw|compare_exchange)8 pointer */
/* LOG: ^atomic_store1 ready */
/* LOG: ^(compare_exchange16 huge|at0 \? in main at atomics.c:44) */
/* NOT: (load|store)[0-9]+ (expected|wanted) */
