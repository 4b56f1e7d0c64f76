/* SPDX-License-Identifier: MIT */
/* run_advice.h - inside of report/text: what to change in the code. */
#ifndef SER_REPORT_TEXT_RUN_ADVICE_H
#define SER_REPORT_TEXT_RUN_ADVICE_H

#include <stdio.h>

#include "bugs/bugs.h"

/* Why the block is taken for atomic, and what to change: a line or two. */
void ser_run_advice_text(const ser_bug *bug, FILE *file);

#endif
