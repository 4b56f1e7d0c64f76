/* SPDX-License-Identifier: MIT */
/*
 * self_test.h - engines that are wrong on purpose.
 *
 * A comparison that never fails proves nothing. Each mutant is an engine with
 * one thing broken, and must be caught on random traces.
 */
#ifndef SER_ORACLE_SELF_TEST_H
#define SER_ORACLE_SELF_TEST_H

#include <stdbool.h>

/* True if every mutant was caught; prints one line for each. */
bool self_test(void);

#endif
