/* SPDX-License-Identifier: MIT */
/*
 * checker/rules.h - inside of the checker: may an event happen now?
 */
#ifndef SER_WITNESS_CHECKER_RULES_H
#define SER_WITNESS_CHECKER_RULES_H

#include "witness/checker/execution.h"

/* SER_OK if the rules (checker/execution.h) let the event happen now; SER_INTERNAL
 * and the reason otherwise, for a message that names the event before it. The number
 * may be any. */
ser_status ser_rules_allow(const ser_execution *run, uint32_t number, ser_error *error);

#endif
