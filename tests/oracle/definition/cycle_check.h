/* SPDX-License-Identifier: MIT */
/*
 * cycle_check.h - is the cycle that an engine gives as its reason a real one?
 */
#ifndef SER_ORACLE_CYCLE_CHECK_H
#define SER_ORACLE_CYCLE_CHECK_H

#include "definition.h"
#include "monitor/engine.h"

/* NULL if it is; else what is wrong with it. */
const char *find_flaw_in_cycle(const definition *d, const ser_violation *violation);

#endif
