/* SPDX-License-Identifier: MIT */
/* The rest of a program: starts THREADS, a list of functions, and awaits them all (unless
 * ENDS_EARLY is defined). The program fails if CORRECT is not so in the end. */
#include <stddef.h>

#ifndef CORRECT
#define CORRECT 1
#endif

int main(void)
{
    void *(*const functions[])(void *) = {THREADS};
    enum { COUNT = sizeof functions / sizeof *functions };
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
#ifndef ENDS_EARLY
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
#endif
    return !(CORRECT);
}
