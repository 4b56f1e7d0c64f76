/* SPDX-License-Identifier: MIT */
/*
 * users.h - which objects did more than one thread access?
 *
 * Coarser than sharing.h and always known: two bytes for each object that ever lived. Freeing
 * counts as an access, and so does an access of what was freed, by any thread. Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_USERS_H
#define SER_RECORD_MEMORY_USERS_H

#include "base/vector.h"
#include "record/memory/objects.h"

enum { SER_USERS_MANY = UINT16_MAX, SER_USERS_AFTER_FREE = UINT16_MAX - 1 };

/* By id: the thread plus one; 0: none yet. An all-zero one is empty and valid. */
typedef struct ser_object_users {
    SER_VECTOR(uint16_t) users;
} ser_object_users;

static inline void ser_object_users_add(ser_object_users *users, uint32_t id, uint16_t thread)
{
    uint16_t *user = ser_vector_slot(&users->users, id);
    if (*user == 0)
        *user = (uint16_t)(thread + 1);
    else if (*user != thread + 1 && *user != SER_USERS_AFTER_FREE)
        *user = SER_USERS_MANY;
}

/* A thread accesses what was freed. */
static inline void ser_object_users_add_after_free(ser_object_users *users, uint32_t id)
{
    *ser_vector_slot(&users->users, id) = SER_USERS_AFTER_FREE;
}

static inline bool ser_object_users_come_after_free(const ser_object_users *users, uint32_t id)
{
    return id < users->users.count && users->users.items[id] == SER_USERS_AFTER_FREE;
}

static inline bool ser_object_users_are_many(const ser_object_users *users, uint32_t id)
{
    return id < users->users.count && users->users.items[id] >= SER_USERS_AFTER_FREE;
}

#endif
