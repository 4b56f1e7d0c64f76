/* SPDX-License-Identifier: MIT */
/*
 * contents.h - what is inside objects of the library, as variables.
 *
 * An object's contents are one variable. Those of a map or set are divided by its keys, as they are
 * met: a key that is put or looked for is a variable of its own. An operation on the whole then
 * accesses all of them; and once there was one, what changes a key changes the whole as well. If
 * there are too many keys, several share a variable.
 *
 * A variable has a version, which each write counts up: that is its value in the trace. All
 * functions are called inside, with the token.
 */
#ifndef SER_JAVA_AGENT_CONTENTS_H
#define SER_JAVA_AGENT_CONTENTS_H

#include "java/agent/agent.h"

/* Records an operation, SER_OP_READ, _WRITE or _RMW, at a site; key 0: on the whole. */
void ser_contents_put(ser_thread *me, uint32_t identity, uint64_t key, int op, uint32_t site);
/* A part, SER_OP_READ or _WRITE, of an operation that adds a key to a map or takes it out: the
 * whole is read, and written together with the key. */
void ser_contents_resize(ser_thread *me, uint32_t identity, uint64_t key, int op, uint32_t site);
/* An operation on the whole of an object without keys, with a value of its own. */
void ser_contents_put_value(ser_thread *me, uint32_t identity, int op, uint64_t value,
                            uint32_t site);
/* What an operation is to be recorded as, for those that ask (permits.c): 0 at first. Null: there
 * is no memory. Valid until the next call. */
uint8_t *ser_contents_role(uint32_t identity);

#endif
