/* SPDX-License-Identifier: MIT */
/*
 * failure_advice.h - what to change in the code, of a failure that is an entry of its own.
 */
#ifndef SER_REPORT_TEXT_FAILURE_ADVICE_H
#define SER_REPORT_TEXT_FAILURE_ADVICE_H

#include "bugs/failures.h"

/* NULL: nothing can be said. Not escaped. To be freed. */
char *ser_failure_make_advice(const ser_failure *failure);

#endif
