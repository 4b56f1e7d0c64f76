/* SPDX-License-Identifier: MIT */
/*
 * self_test.h - is the oracle worth anything?
 *
 * The brute force must know the answers of traces that were worked out by hand, and
 * engines and checkers that are wrong on purpose must be caught on random traces.
 */
#ifndef SER_ORACLE_PREDICT_SELF_TEST_H
#define SER_ORACLE_PREDICT_SELF_TEST_H

#include <stdbool.h>

/* True if all is well; prints one line for each flaw, and what is wrong. */
bool self_test(void);

#endif
