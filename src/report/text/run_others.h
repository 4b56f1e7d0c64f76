/* SPDX-License-Identifier: MIT */
/* run_others.h - inside of report/text: what is told with an entry. */
#ifndef SER_REPORT_TEXT_RUN_OTHERS_H
#define SER_REPORT_TEXT_RUN_OTHERS_H

#include <stdio.h>

#include "bugs/bugs.h"

/* "deposit() (bank.c:12)" */
void ser_run_block_text(const ser_bug *bug, FILE *file);

/* Other places with the same cause, other data of the same block, and what follows from it. */
void ser_run_others_text(const ser_bug *bug, FILE *file);

#endif
