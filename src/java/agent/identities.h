/* SPDX-License-Identifier: MIT */
/*
 * identities.h - objects, by their identity hash.
 */
#ifndef SER_JAVA_AGENT_IDENTITIES_H
#define SER_JAVA_AGENT_IDENTITIES_H

#include "java/agent/agent.h"

/* Reserves memory; false if there is none. Once. */
bool ser_identities_start(void);
/* A bit for each identity, whose name is recorded; 0, which is no object, has none. */
const uint8_t *ser_identities_named(void);
/* Records the name of the object, unless that was done before. The thread is inside, with the
 * token. */
void ser_identity_record(ser_thread *me, JNIEnv *env, jobject object, uint32_t identity);

#endif
