/* SPDX-License-Identifier: MIT */
/*
 * follow_script.h - the texts that a compiler would give to the reads and writes of a script
 * (contract/guards.def): keys, expressions of what is stored, and guards, over any number of reads.
 */
#ifndef SER_ORACLE_FOLLOW_SCRIPT_H
#define SER_ORACLE_FOLLOW_SCRIPT_H

#include "script.h"
#include "trace/symbols.h"

/* events: those of the trace of the script, which get texts. */
void follow_script(const script *s, ser_event *events, size_t count, ser_symbols *symbols);

#endif
