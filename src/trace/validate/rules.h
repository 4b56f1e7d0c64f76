/* SPDX-License-Identifier: MIT */
/*
 * rules.h - inside of validation: the rules of locks and of threads.
 *
 * A rule is a function that checks an event and updates the state of its module if the event is
 * allowed; otherwise it leaves the state unchanged and reports the error.
 */
#ifndef SER_TRACE_VALIDATE_RULES_H
#define SER_TRACE_VALIDATE_RULES_H

#include "base/status.h"
#include "trace/event.h"
#include "trace/symbols.h"

/* Where a rule reports what is wrong with an event. */
typedef struct ser_complaint {
    const ser_symbols *symbols; /* may be NULL if no text is needed */
    bool wanted;                /* is the text needed? */
    ser_error error;
} ser_complaint;

/* Writes "event N: THREAD <format>" and returns false, for `return ser_rule_broken(...)`. */
bool ser_rule_broken(ser_complaint *complaint, const ser_event *event, uint64_t number,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Locks. A thread may hold a lock exclusively and shared at once (a writer that
 * becomes a reader); the two nest separately, so that INNER marks an acquire of
 * a lock the thread already holds in the same mode, and its release.
 */
typedef struct ser_lock_rules ser_lock_rules;

ser_lock_rules *ser_lock_rules_create(void);
void ser_lock_rules_destroy(ser_lock_rules *rules);

/* False, with a message, if the lock event breaks a rule; else it takes effect. O(1). */
bool ser_lock_rules_check(ser_lock_rules *rules, ser_event *event, uint64_t number,
                          ser_complaint *complaint);

#endif
