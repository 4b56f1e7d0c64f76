/* SPDX-License-Identifier: MIT */
/*
 * The beginning of local variables, and what lies in them when it turns out to be a lock.
 */
#include "runtime/access/local.h"
#include "runtime/access/access.h"
#include "runtime/elide/locals.h"
#include "runtime/elide/owners.h"

static ser_runtime_world *const world = &ser_the_world;

/* The fast path: it is known already. */
static bool is_held(ser_thread *me, uintptr_t address, size_t size, uint32_t site)
{
    ser_word *words = ser_access_begin_own_words(me, address, size);
    if (!words)
        return false;
    bool held = ser_local_is_held(me, address, size, site, words);
    ser_leave(me);
    return held;
}

SER_EXPORT void __seriatim_local(void *address, size_t size, ser_abi_site *site)
{
    ser_thread *me = ser_self;
    if (is_held(me, (uintptr_t)address, size, site->number))
        return;
    me = ser_enter();
    if (!me)
        return;
    if (world->recording)
        ser_local_begin(me, (uintptr_t)address, size, ser_site_number(me, site),
                        (uintptr_t)__builtin_frame_address(0));
    ser_leave(me);
}

/* A word with a lock may have data, too, which others access under the lock of its line. */
static SER_COLD bool reveal_local_object(ser_thread *me, uintptr_t object)
{
    if (!world->parallel)
        return ser_local_reveal(me, object);
    ser_owners_lock(me, (const void *)object, 1, true);
    bool known = ser_local_reveal(me, object);
    ser_lines_unlock(me, (const void *)object, 1);
    return known;
}

/* Called for each event of synchronisation; few objects are local variables. */
bool ser_local_reveal_object(ser_thread *me, uintptr_t object)
{
    const ser_word *word = ser_word_at(object);
    return ser_likely(!word || !(word->write & SER_WORD_UNRECORDED)) ||
           reveal_local_object(me, object);
}
