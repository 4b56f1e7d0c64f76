/* SPDX-License-Identifier: MIT */
/*
 * self_test.h - is the oracle worth anything?
 */
#ifndef SER_ORACLE_PREDICT_SELF_TEST_H
#define SER_ORACLE_PREDICT_SELF_TEST_H

#include <stdbool.h>

/* True if the brute force gets the known cases right; prints what it gets wrong. */
bool self_test(void);

#endif
