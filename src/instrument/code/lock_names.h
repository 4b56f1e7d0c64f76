/* SPDX-License-Identifier: MIT */
/*
 * lock_names.h - functions of libraries that take a lock or give it back, by their names.
 *
 * Many libraries of C have locks of their own around those of POSIX: uv_mutex_lock, SDL_LockMutex,
 * apr_thread_rwlock_rdlock. Their code is elsewhere, so the name must tell. A name consists of
 * words: _ separates them, and so does a capital letter behind a small one. One that takes a lock
 * has `lock` as a word, perhaps with what kind of lock it is or how it is tried (`rdlock`,
 * `trylock`, `timedwrlock`); one that gives it back has a word that ends in `unlock`. The locks of
 * libraries of C++ (QMutex, absl::Mutex) are mostly made of atomic variables: a run does not show
 * them as locks, and code that is taken to hold one, where the run has none, would pass for
 * careful.
 */
#ifndef SER_INSTRUMENT_CODE_LOCK_NAMES_H
#define SER_INSTRUMENT_CODE_LOCK_NAMES_H

#include <stdbool.h>

/* Not of mangled symbols. */
bool ser_names_acquire(const char *symbol);
bool ser_names_release(const char *symbol);

#endif
