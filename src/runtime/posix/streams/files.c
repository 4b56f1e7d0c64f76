/* SPDX-License-Identifier: MIT */
/*
 * The table of FILEs that are in use, by address. A look is without a lock; what changes the table
 * has the token, or the lock of all objects.
 */
#include "runtime/posix/streams/files.h"

#include <pthread.h>
#include <stdlib.h>

#include "runtime/access/access.h"
#include "runtime/core/turns/objects.h"
#include "runtime/posix/real.h"

struct ser_file {
    FILE *file;
    const ser_thread *owner; /* the only thread that has used it */
    bool shared;             /* there are more */
    uint64_t state;
    pthread_mutex_t lock;
};

enum { PLACES = 1024, TRIES = 16 }; /* more FILEs at a time are not seen */

static ser_file *places[PLACES];

static ser_file **place_of(const FILE *file, unsigned try)
{
    uint64_t hash = (uintptr_t)file * 0x9e3779b97f4a7c15U;
    return &places[(hash >> 48) % PLACES ^ try];
}

static ser_file *find(const FILE *file)
{
    for (unsigned i = 0; i < TRIES; i++) {
        ser_file *known = __atomic_load_n(place_of(file, i), __ATOMIC_ACQUIRE);
        if (known && known->file == file)
            return known;
    }
    return 0;
}

static ser_file *insert(ser_file *made)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (!*place_of(made->file, i)) {
            __atomic_store_n(place_of(made->file, i), made, __ATOMIC_RELEASE);
            return made;
        }
    return 0;
}

static void init_lock(ser_file *made)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made->lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

/* On the program's heap: the lock and the state of another FILE, which comes to the same address
 * later, are other objects. */
static ser_file *make(FILE *file)
{
    ser_file *made = calloc(1, sizeof *made);
    if (!made)
        return 0;
    made->file = file;
    made->owner = ser_self;
    init_lock(made);
    ser_thread *me = ser_enter_sync();
    ser_file *known = me ? find(file) : 0;
    ser_file *kept = me && !known ? insert(made) : known;
    if (me)
        ser_leave_sync(me);
    if (kept != made)
        free(made);
    return kept;
}

void ser_file_forget(FILE *file)
{
    ser_file *known = ser_is_off ? 0 : find(file);
    ser_thread *me = known ? ser_enter_sync() : 0;
    if (!me)
        return;
    for (unsigned i = 0; i < TRIES; i++)
        if (*place_of(file, i) == known)
            __atomic_store_n(place_of(file, i), 0, __ATOMIC_RELEASE);
    ser_leave_sync(me);
    if (!known->shared) /* else somebody may still wait for it, wrongly */
        free(known);
}

/* Every state is another one: what is read from a file is not known to be the same, wherever the
 * file is. */
static uint64_t next_state(void)
{
    static uint64_t last;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static void access_state(ser_file *file, ser_access_kind kind)
{
    ser_runtime_access access = {.kind = kind, .size = sizeof file->state, .address = &file->state};
    if (kind != SER_ACCESS_LOAD)
        access.value.word = next_state();
    if (kind == SER_ACCESS_RMW) /* an exchange */
        ser_access_do(&access, 0);
    else
        ser_access_do_words(&access, 0);
}

static void use_state(ser_file *file, ser_file_use use)
{
    if (use == SER_FILE_APPENDS) {
        access_state(file, SER_ACCESS_RMW);
        return;
    }
    if (use != SER_FILE_MOVES)
        access_state(file, SER_ACCESS_LOAD);
    if (use != SER_FILE_LOOKS)
        access_state(file, SER_ACCESS_STORE);
}

/* Nothing is recorded as long as the FILE has a single user: without its lock an access could be
 * moved into a call of the second user, and a lock for every call of a private FILE costs much. A
 * read of the second user then has a value that no recorded write explains, and counts as such. */
static bool is_alone(ser_file *file)
{
    if (__atomic_load_n(&file->shared, __ATOMIC_ACQUIRE))
        return false;
    if (file->owner == ser_self)
        return true;
    __atomic_store_n(&file->shared, true, __ATOMIC_RELEASE);
    return false;
}

static ser_file *find_or_make(FILE *file)
{
    ser_file *known = find(file);
    return known ? known : make(file);
}

ser_file *ser_file_begin(FILE *file, ser_file_use use, bool locks)
{
    bool is_standard = file == stdout || file == stderr;
    if (ser_is_off || ser_self == &ser_nobody || ser_self->inside || !file || is_standard)
        return 0;
    ser_file *known = find_or_make(file);
    if (!known)
        return 0;
    if (is_alone(known))
        return 0;
    if (locks)
        pthread_mutex_lock(&known->lock);
    use_state(known, use);
    return locks ? known : 0;
}

void ser_file_end(void *begun)
{
    ser_file *file = begun;
    if (file)
        pthread_mutex_unlock(&file->lock);
}

/* --- the lock itself ---------------------------------------------------------- */

static ser_file *lock_of(FILE *file)
{
    ser_real_find();
    bool records = !ser_is_off && ser_self != &ser_nobody && !ser_self->inside && file;
    ser_file *known = records ? find_or_make(file) : 0;
    if (known)
        __atomic_store_n(&known->shared, true, __ATOMIC_RELEASE);
    return known;
}

/* Ours first: while it is held, nobody but code that is not recorded holds the other. */
SER_EXPORT void flockfile(FILE *file)
{
    ser_file *known = lock_of(file);
    if (known)
        pthread_mutex_lock(&known->lock);
    ser_real.flockfile(file);
}

SER_EXPORT int ftrylockfile(FILE *file)
{
    ser_file *known = lock_of(file);
    if (known && pthread_mutex_trylock(&known->lock) != 0)
        return 1;
    int result = ser_real.ftrylockfile(file);
    if (result != 0)
        ser_file_end(known);
    return result;
}

SER_EXPORT void funlockfile(FILE *file)
{
    ser_file *known = lock_of(file);
    ser_real.funlockfile(file);
    ser_file_end(known);
}
