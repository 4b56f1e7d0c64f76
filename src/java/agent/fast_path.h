/* SPDX-License-Identifier: MIT */
/*
 * fast_path.h - what accesses, calls and returns need that make no native call
 * (SeriatimRecords.java).
 */
#ifndef SER_JAVA_AGENT_FAST_PATH_H
#define SER_JAVA_AGENT_FAST_PATH_H

#include "java/agent/agent.h"

enum { SER_FAST_SITES = 1 << 24 }; /* further ones are slow */

/* A site that was reached before. */
typedef struct ser_fast_site {
    uint64_t tag;  /* of an access: its record's; of a call: the number of its place. 0: not yet */
    uint64_t cell; /* of a field: its address but for the object */
} ser_fast_site;

/* Reserves memory; false if there is none. Once. */
bool ser_fast_path_start(void);
void ser_fast_path_learn_access(uint32_t site, uint64_t tag, uint64_t cell);
void ser_fast_path_learn_call(uint32_t site, uint32_t number);

#endif
