/* SPDX-License-Identifier: MIT */
/*
 * known_traces.h - small traces whose answers were worked out by hand.
 *
 * The definition is what engines are measured against; these are what the
 * definition is measured against.
 */
#ifndef SER_ORACLE_KNOWN_TRACES_H
#define SER_ORACLE_KNOWN_TRACES_H

#include <stdbool.h>

/* True if the definition and the reference of --all get them all right; prints
 * what they get wrong. */
bool known_traces_hold(void);

#endif
