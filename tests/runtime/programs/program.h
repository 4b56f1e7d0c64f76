/* SPDX-License-Identifier: MIT */
/*
 * program.h - for programs that call the runtime as instrumented code would.
 */
#ifndef SER_TESTS_PROGRAM_H
#define SER_TESTS_PROGRAM_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract/abi.h"

#define SITE(text)                                                                                 \
    ({                                                                                             \
        static ser_abi_site here = {                                                               \
            .line = __LINE__, .file = __FILE__, .function = __func__, .name = text};               \
        &here;                                                                                     \
    })
#define LOAD(x)         __seriatim_load4(&(x), SITE(#x))
#define STORE(x, value) __seriatim_store4(&(x), (value), SITE(#x))
#define AT()            __seriatim_at(SITE(0))

/* Stays on in every build; the harness sees the status. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            _Exit(99);                                                                             \
        }                                                                                          \
    } while (0)

#endif
