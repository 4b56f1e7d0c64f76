/* SPDX-License-Identifier: MIT */
/* Constructs that are rare, and must compile and run as always. */
/* FLAGS: -Wno-psabi */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef float two __attribute__((vector_size(8)));
typedef int eight __attribute__((vector_size(32)));

struct wide {
    long a, b, c;
};
struct pair {
    float x, y;
};
struct odd {
    char bytes[3];
} __attribute__((packed));
struct packed {
    char c;
    long l;
    short s;
} __attribute__((packed));

static four fours;
static two twos;
static eight eights;
static double complex number = 1 + 2 * I;
static struct pair pairs[2] = {{1, 2}, {3, 4}};
static struct odd odds[3] = {{"ab"}, {"cd"}, {"ef"}};
static struct packed packed;
static struct wide wides;
static void *labels[2];
static int calls, *volatile where;
static unsigned _BitInt(24) bits;

static struct wide make(long n)
{
    struct wide result = {n, n + 1, n + 2};
    calls++;
    return result;
}
/* LOG: ^enter[0-9] make at */

static struct pair swap(struct pair pair)
{
    return (struct pair){pair.y, pair.x};
}

static int add(int count, ...)
{
    va_list list;
    va_start(list, count);
    int sum = 0;
    while (count--)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}
/* NOT: store.* in add$ */

static int jump(int n)
{
    static void *const targets[] = {&&one, &&two};
    labels[n & 1] = targets[n & 1];
    goto *labels[n & 1];
one:
    return 1;
two:
    return 2;
}

static __attribute__((noinline)) int of_length(int n)
{
    int array[n], sum = 0;
    where = array;
    for (int i = 0; i < n; i++)
        where[i] = i;
    for (int i = 0; i < n; i++)
        sum += array[i];
    return sum;
}
/* LOG: ^local28 (array|\?) in of_length */

static int choose_a(void)
{
    return 1;
}
typedef int chooser(void);
static chooser *resolve(void)
{
    return choose_a;
}
int chosen(void) __attribute__((ifunc("resolve")));
/* NOT: enter.* resolve */

inline __attribute__((gnu_inline)) extern int elsewhere(int n)
{
    return n + calls;
}
int elsewhere(int n)
{
    return n + calls;
}

__attribute__((const)) static int pure(int n)
{
    return n * 3;
}

static void compute(void)
{
    fours = fours * fours + 1.5f;
    twos += 2;
    eights += (eight){1, 2, 3, 4, 5, 6, 7, 8};
    number *= number;
    pairs[0] = swap(pairs[1]);
    odds[1] = odds[2];
    packed.l += 5;
    packed.s = (short)packed.l;
    wides = make(wides.c);
    bits += 3;
    __asm__ volatile("" : "+m"(calls));
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        compute();
    printf("%g %g %d %g %g\n", (double)fours[2], (double)twos[1], eights[6], creal(number),
           cimag(number));
    printf("%g %g %s %ld %d %ld %d\n", (double)pairs[0].x, (double)pairs[0].y, odds[1].bytes,
           packed.l, packed.s, wides.b, calls);
    printf("%d %d %d %d\n", add(3, 1, 2, 3), jump(0), jump(1), of_length(7));
    printf("%d %d %d %d\n", chosen(), elsewhere(2), pure(4) + pure(4), (int)bits);
    return 0;
}
/* LOG: ^load_n16 fours in compute */
/* LOG: ^store8 twos in compute */
/* LOG: ^store_n32 eights in compute */
/* LOG: ^(memcpy|store_n|load_n)[38] (bytes of )?odds in compute|^load_n3 .*odds in compute|^memcpy3
 */
/* LOG: ^store8 l of packed in compute */
/* LOG: ^store8 a of wides|^(store_n|memcpy)24 wides */
