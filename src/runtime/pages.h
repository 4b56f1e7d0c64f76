/* SPDX-License-Identifier: MIT */
/*
 * pages.h - parallel mode: pages of memory that one thread has for itself.
 *
 * To lock a line costs more than the access. So a page (4 KiB) belongs to the first thread that
 * accesses it, and as long as nobody else comes, that thread leaves accesses out without any
 * lock (privacy.h). Whoever else comes first makes the page common, for ever:
 *
 *     the other thread                              the owner
 *     owner of the page = MOVING                    inside = ALONE
 *     membarrier                                    read the owner of the page: mine?
 *     wait until the owner is not ALONE             ...
 *     raise the clocks of the page's lines
 *     owner of the page = COMMON
 *
 * As with the token (docs/runtime.md), either the owner's `inside` is seen, or it sees that the
 * page is no longer its own and locks lines like everybody. The owner waits for nothing while
 * it is ALONE. The lines get the owner's clock: what comes later is later than all that it did.
 */
#ifndef SER_RUNTIME_PAGES_H
#define SER_RUNTIME_PAGES_H

#include "runtime/privacy.h"

enum { SER_PAGE_NOBODY = 0, SER_PAGE_MOVING = 0xfffe, SER_PAGE_COMMON = 0xffff };

/* Sees to it that the thread may lock the lines of an access: the pages are its own, or common.
 * It has no line locked. */
void ser_pages_open(ser_thread *me, uintptr_t address, size_t size);

/* Nobody has the pages of new memory yet; of those that lie in it as a whole. */
void ser_pages_renew(uintptr_t address, size_t size);

/* The same question, for the page of one address. A page that nobody has is not open, to a thread
 * without a tag either: the next one would have it for itself. */
static inline bool ser_page_is_open(const ser_thread *me, uintptr_t address)
{
    const volatile uint16_t *page = ser_page_at(address);
    uint16_t owner = page ? *page : SER_PAGE_NOBODY;
    return owner != SER_PAGE_NOBODY && (owner == SER_PAGE_COMMON || owner == me->page_tag);
}

#endif
