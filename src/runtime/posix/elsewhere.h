/* SPDX-License-Identifier: MIT */
/*
 * elsewhere.h - libraries that have threads and locks of their own, and are no part of what is
 * analysed: a runtime of OpenMP.
 *
 * How such a library wakes its threads says nothing about the program, and depends on time. So a
 * thread that enters it *goes elsewhere*: it gives up the token, and none of its calls of
 * interposed functions is recorded until it *comes back*, to run code of the program. Threads that
 * are made elsewhere are known, and begin there.
 */
#ifndef SER_RUNTIME_POSIX_ELSEWHERE_H
#define SER_RUNTIME_POSIX_ELSEWHERE_H

#include <stdbool.h>

/* False if the thread is not recorded, and nothing was done. */
bool ser_go_elsewhere(void);
/* Was the thread elsewhere? */
bool ser_come_back(void);

/* Is the thread there, or has it ended, so that nothing of it is recorded while others are? */
bool ser_is_elsewhere(void);

/* One statement there. A function of the library may call another one that is interposed: then the
 * thread stays where it is. */
#define SER_ELSEWHERE_DO(statement)                                                                \
    do {                                                                                           \
        bool went_elsewhere = ser_go_elsewhere();                                                  \
        statement;                                                                                 \
        if (went_elsewhere)                                                                        \
            ser_come_back();                                                                       \
    } while (0)

#endif
