/* SPDX-License-Identifier: MIT */
/* Which calls go into code that is not instrumented and may read memory: recorded once, or with
 * where they return if they may call back. */
#include <math.h>
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FLAGS: -pthread -lm */
/* ORDER: ^enter1 quiet */
/* ORDER: ^leave */
/* ORDER: ^enter1 prints_a_string */
/* ORDER: ^outside runs */
/* ORDER: ^enter1 calls_back */
/* ORDER: ^outside leaves */
/* ORDER: ^enter2 compare */
/* ORDER: ^outside returns */
/* ORDER: ^enter1 calls_pointer_outside */
/* ORDER: ^outside leaves */
/* ORDER: ^outside returns */
/* ORDER: ^enter1 calls_ignored */
/* ORDER: ^outside leaves */
/* ORDER: ^outside returns */
/* ORDER: ^leave */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
volatile int number = 3;
volatile int numbers[4] = {3, 1, 2, 0};

static void add(int n)
{
    number += n;
    number += n;
}

/* Nothing of what it calls is recorded: the lines that ORDER has for others come later. */
__attribute__((noinline)) static void quiet(void (*instrumented)(int))
{
    pthread_mutex_lock(&mutex);
    free(malloc(3));
    printf("%d %g\n", number, sqrt(number));
    puts("some");
    __asm__ volatile("" ::: "memory");
    instrumented(2);
    number = (int)strlen("four");
    pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void prints_a_string(const char *volatile format)
{
    number++;
    printf(format, "text");
    number++;
}

__attribute__((noinline)) static int compare(const void *a, const void *b)
{
    number++;
    number++;
    return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void calls_back(void)
{
    qsort((void *)numbers, 4, sizeof *numbers, compare);
    number++;
    number++;
}

__attribute__((noinline)) static void calls_pointer_outside(int (*volatile function)(int))
{
    number = function(-2);
    number++;
}

SERIATIM_IGNORE_FUNCTION __attribute__((noinline)) static void ignored(void)
{
    number++;
}

__attribute__((noinline)) static void calls_ignored(void)
{
    ignored();
    number++;
    number++;
}

int main(void)
{
    quiet(add);
    prints_a_string("%5s\n");
    calls_back();
    calls_pointer_outside(abs);
    calls_ignored();
    printf("%d %d\n", number, numbers[3]);
    return 0;
}
