/* SPDX-License-Identifier: MIT */
#include "runtime/posix/sync/owned.h"

/* If memory is out, nobody knows the owner, and the library's lock decides alone. */
static bool get(ser_thread *me, const void *lock, bool nests)
{
    ser_runtime_object *object = ser_object_get(SER_KIND_OWNED, lock);
    if (object && object->runner && !(nests && object->runner == me))
        return false;
    if (object) {
        object->runner = me;
        object->count++;
    }
    ser_put(me, SER_OP_ACQUIRE, lock, 0);
    return true;
}

void ser_owned_acquire(ser_thread *me, const void *lock, bool nests)
{
    ser_claim claim = {0};
    while (!get(me, lock, nests))
        ser_object_await(me, SER_KIND_OWNED, lock, (ser_runtime_wait){0}, &claim);
}

bool ser_owned_try(ser_thread *me, const void *lock, bool nests)
{
    if (get(me, lock, nests))
        return true;
    ser_put(me, SER_OP_TRY_FAILED, lock, 0);
    ser_object_refuse(me, SER_KIND_OWNED, lock);
    return false;
}

void ser_owned_release(ser_thread *me, const void *lock)
{
    ser_runtime_object *object = ser_object_find(SER_KIND_OWNED, lock);
    ser_put(me, SER_OP_RELEASE, lock, 0);
    if (!object || !object->runner || --object->count > 0)
        return;
    object->runner = 0;
    ser_object_wake(SER_KIND_OWNED, lock, 1);
}
