/* SPDX-License-Identifier: MIT */
/*
 * lock_names.h - functions of libraries that take a lock or give it back, by their names.
 *
 * Many libraries have locks of their own around those of POSIX: uv_mutex_lock, SDL_LockMutex,
 * QMutex::lock, apr_thread_rwlock_rdlock. Their code is elsewhere, so the name must tell. A name
 * consists of words: _ separates them, and so does a capital letter behind a small one. One that
 * takes a lock has `lock` as a word, perhaps with what kind of lock it is or how it is tried
 * (`rdlock`, `trylock`, `timedwrlock`); one that gives it back has a word that ends in `unlock`.
 */
#ifndef SER_INSTRUMENT_CODE_LOCK_NAMES_H
#define SER_INSTRUMENT_CODE_LOCK_NAMES_H

#include <stdbool.h>

/* Of a symbol of C or C++: of a member function the name behind its class; constructors and
 * destructors have none. */
bool ser_names_acquire(const char *symbol);
bool ser_names_release(const char *symbol);

#endif
