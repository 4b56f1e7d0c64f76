/* SPDX-License-Identifier: MIT */
/* load.h - the events of a sample as prediction sees them. */
#ifndef SER_ORACLE_LOAD_H
#define SER_ORACLE_LOAD_H

#include "order/run.h"
#include "sample.h"

/* To be destroyed. */
ser_run *load_sample(const sample *s);

#endif
