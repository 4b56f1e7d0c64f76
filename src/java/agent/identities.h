/* SPDX-License-Identifier: MIT */
/*
 * identities.h - objects, by their identity hash.
 */
#ifndef SER_JAVA_AGENT_IDENTITIES_H
#define SER_JAVA_AGENT_IDENTITIES_H

#include "java/agent/agent.h"

/* What is recorded of an object. One that threads meet only after the first `exact` operations of
 * the run (options.h) is *private* as long as one thread alone accesses its fields or elements, and
 * did so outside critical sections first: these accesses are elided (docs/algorithms/elision.md).
 * When another thread accesses it, or something else of it is recorded, it is *shared*: from then
 * on everything is recorded, and each thread's next access comes after those that were elided. */
typedef enum ser_object_state {
    SER_OBJECT_UNSEEN,
    SER_OBJECT_RECORDED,
    SER_OBJECT_PRIVATE,
    SER_OBJECT_SHARED,
} ser_object_state;

/* Reserves memory; false if there is none. Once. */
bool ser_identities_start(void);
/* A ser_object_state for each identity; 0, which is no object, is recorded. */
const uint8_t *ser_identities_states(void);
/* Of each that is or was private, the stamp (core/thread.h) of the last access that was elided. */
const uint64_t *ser_identities_stamps(void);
/* Elides an access of the object, if it may be. The thread is inside, with the token. */
bool ser_identity_elides(ser_thread *me, uint32_t identity);
/* Before something of it is recorded: its name, unless that was done before, and that the next
 * event comes after what was elided. The thread is inside, with the token. */
void ser_identity_record(ser_thread *me, JNIEnv *env, jobject object, uint32_t identity);

#endif
