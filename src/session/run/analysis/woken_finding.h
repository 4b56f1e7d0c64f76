/* SPDX-License-Identifier: MIT */
/*
 * woken_finding.h - a wait with `if` instead of `while` (judge/waits/woken.h), in the form in which
 * the monitor reports cycles: from the read by which the thread decided to wait to what it writes.
 */
#ifndef SER_SESSION_RUN_WOKEN_FINDING_H
#define SER_SESSION_RUN_WOKEN_FINDING_H

#include "monitor/explain.h"
#include "session/run/judge/waits/woken.h"

/* False: the read is in no block, so that there is nothing to report it of. The steps are to be
 * freed. */
bool ser_make_woken_finding(const ser_run *run, const ser_woken *woken, ser_finding *finding);

#endif
