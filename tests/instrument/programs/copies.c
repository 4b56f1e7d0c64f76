/* SPDX-License-Identifier: MIT */
/* What is hard to have twice: functions without a recorder run in a copy, and do the same. */
/* FLAGS: -rdynamic -Wno-frame-address */
#include <execinfo.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct large {
    long values[5];
};

int counter;
static jmp_buf place;

/* --- arguments in all places ---------------------------------------------------- */

__attribute__((noinline)) struct large twice(int a, struct large given, double b, int c, int d,
                                             int e, int f, int g, int h)
{
    for (int i = 0; i < 5; i++)
        given.values[i] = given.values[i] * 2 + a + (int)b + c + d + e + f + g + h + counter;
    return given;
}

/* Its caller has more to keep in registers than the call may spoil. */
struct middle {
    long (*apply)(long);
    long add, factor;
};
static long next(long n)
{
    return n + counter;
}
__attribute__((noinline)) long apply(long n, struct middle given)
{
    return given.apply ? given.apply(n) * given.factor + given.add : n;
}
/* By their pointers they are tested and jump; by their names copies call copies. */
long (*volatile apply_pointer)(long, struct middle) = apply;
struct large (*volatile twice_pointer)(int, struct large, double, int, int, int, int, int,
                                       int) = twice;
double (*volatile mean_pointer)(int, ...);
__attribute__((noinline)) long keep(volatile long *values)
{
    long a = values[0], b = values[1], c = values[2], d = values[3], e = values[4], f = values[5];
    struct middle how = {next, a, b};
    long first = apply(c, how), second = apply_pointer(d, how);
    return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + first + second;
}

__attribute__((noinline)) double mean(int count, ...)
{
    va_list list;
    double sum = counter;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += i % 2 ? va_arg(list, int) : va_arg(list, double);
    va_end(list);
    return sum / count;
}

/* A structure passed by copy and more arguments: instrumented only. */
__attribute__((noinline)) long mixed(struct large first, ...)
{
    va_list list;
    va_start(list, first);
    long result = first.values[4] + va_arg(list, int) + counter;
    va_end(list);
    return result;
}
/* COPY: (in|enter.) mixed|^leave */

/* --- computed goto --------------------------------------------------------------- */

static int interpret(const char *program)
{
    static void *table[] = {&&add, &&sub, &&end};
    int value = counter;
    goto *table[*program - 'a'];
add:
    value += 3;
    program++;
    goto *table[*program - 'a'];
sub:
    value -= 1;
    program++;
    goto *table[*program - 'a'];
end:
    return value;
}

/* --- identity, and the way back ---------------------------------------------------- */

typedef int callback(int);
static int square(int n)
{
    return n * n + counter;
}
callback *volatile chosen = square;

__attribute__((noinline)) const void *caller(void)
{
    return __builtin_return_address(0);
}

__attribute__((noinline)) void named(char *into, size_t size)
{
    void *frames[2];
    int count = backtrace(frames, 2);
    char **names = backtrace_symbols(frames, count);
    const char *start = count > 0 ? strstr(names[0], "(named") : NULL;
    snprintf(into, size, "%s", start ? "named" : "lost");
    free(names);
    counter++;
}

__attribute__((noinline)) void leap(int n)
{
    counter++;
    longjmp(place, n);
}

/* --- assembly -------------------------------------------------------------------- */

__attribute__((noinline)) int labelled(int n)
{
    __asm__ volatile("only_here: nop");
    return n + counter;
}
/* COPY: (in|enter.) labelled|^leave */

__attribute__((noinline)) int numbered(int n)
{
    __asm__ volatile("1: nop\n\tlabel_%=: nop" ::: "memory");
    return n + counter;
}

/* --- names that can be defined elsewhere --------------------------------------------- */

__attribute__((weak)) int replaced(void)
{
    return counter;
}
int other_name(int) __attribute__((alias("numbered")));

static int resolved(int n)
{
    return n + 1;
}
static int works(void)
{
    return resolved(1) == 2;
}
static callback *resolve(void)
{
    return works() ? resolved : square;
}
int by_resolver(int) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void early(void)
{
    counter = 1;
}

int main(void)
{
    struct large one = twice(1, (struct large){{1, 2, 3, 4, 5}}, 2.5, 3, 4, 5, 6, 7, 8);
    char name[16];
    mean_pointer = mean;
    one = twice_pointer(1, one, 2.5, 3, 4, 5, 6, 7, 8);
    named(name, sizeof name);
    printf("%ld %g %ld %d\n", one.values[4], mean_pointer(5, 1.5, 2, 3.5, 4, 5.5), mixed(one, 7),
           interpret("aabac"));
    printf("%d %d %s %d\n", chosen == square, chosen(3), name, caller() != NULL);
    int how = setjmp(place);
    if (how < 2)
        leap(how + 1);
    printf("%d %d %d %d %d\n", how, labelled(1), numbered(2), replaced(), counter);
    printf("%d %d %ld\n", other_name(3), by_resolver(4), keep((long[]){1, 2, 3, 4, 5, 6}));
    return 0;
}
/* LOG: ^(load|store)4 counter in (square|main) */
/* LOG: ^load4 counter in interpret */
/* LOG: ^(enter.* named|store4 counter in named) */
