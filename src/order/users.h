/* SPDX-License-Identifier: MIT */
/*
 * users.h - which variables threads share, found in a pass over a trace before it is loaded, and so
 * which events a run can do without.
 *
 * An access of a variable that one thread alone uses, or that is never written, conflicts with
 * nothing, and its read gets the same write in every interleaving. It can be on a path only between
 * two other events of its thread, which are in program order without it. So it changes no answer to
 * "can a path violate this block?" under the model avp. The same holds for calls and marks that
 * begin or end no block. Accesses that other rules look at are never spared: those of a variable
 * that is freed, ordered-last ones, and those that begin or end a block.
 *
 * Memory: 8 bytes per variable.
 */
#ifndef SER_ORDER_USERS_H
#define SER_ORDER_USERS_H

#include "base/vector.h"
#include "trace/event.h"

typedef struct ser_user {
    uint32_t thread; /* 1 + the only one; SER_SEVERAL_USERS; 0: none */
    bool is_written, is_freed;
} ser_user;

#define SER_SEVERAL_USERS UINT32_MAX

typedef struct ser_users {
    SER_VECTOR(ser_user) variables;
    bool have_values; /* there are values, or facts of the code: other models than avp may differ */
} ser_users;

/* The same for one variable: an access of it, and whether a run must have an event, which is an
 * access of that variable or of none. */
void ser_user_add(ser_user *user, const ser_event *event);
bool ser_user_needs(const ser_user *user, const ser_event *event);

/* An all-zero ser_users is valid. */
void ser_users_add(ser_users *users, const ser_event *events, size_t count);
void ser_users_fini(ser_users *users);

/* Must a run have the event? To be asked once all events were added. */
bool ser_users_need(const ser_users *users, const ser_event *event);

#endif
