/* SPDX-License-Identifier: MIT */
/*
 * The rules of locks: one exclusive holder or several shared ones.
 *
 * Each lock has its exclusive holder with the depth of re-entrance, and a list of shared holders,
 * mostly a short one; long lists get a map that finds threads in them. The main function is
 * ser_lock_rules_check.
 */
#include "base/idmap.h"
#include "base/vector.h"
#include "trace/validate/rules.h"

/* One thread's hold on a lock. */
typedef struct hold {
    uint32_t thread;
    uint32_t depth;    /* acquires not yet released */
    uint64_t acquired; /* number of the outermost acquire */
} hold;

/* Up to so many shared holders are searched without a map. */
enum { FEW_HOLDERS = 8 };

#define NO_PLACE UINT32_MAX

typedef struct lock_state {
    hold exclusive; /* with depth 0: the last one, for messages */
    SER_VECTOR(hold) shared;
    ser_idmap places; /* of threads in shared, or NO_PLACE; empty until there are many */
} lock_state;

struct ser_lock_rules {
    SER_VECTOR(lock_state) locks;
};

/* One event under examination. */
typedef struct step {
    ser_event *event;
    uint64_t number;
    lock_state *lock;
    ser_complaint *complaint;
} step;

ser_lock_rules *ser_lock_rules_create(void)
{
    return ser_alloc(1, sizeof(ser_lock_rules));
}

void ser_lock_rules_destroy(ser_lock_rules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->locks.count; i++) {
        ser_vector_free(&rules->locks.items[i].shared);
        ser_idmap_fini(&rules->locks.items[i].places);
    }
    ser_vector_free(&rules->locks);
    free(rules);
}

static hold *look_up_shared_hold(lock_state *lock, uint32_t thread)
{
    uint32_t place = ser_idmap_get(&lock->places, thread, NO_PLACE);
    if (place == NO_PLACE)
        return NULL;
    hold *own = &lock->shared.items[place];
    ser_check(own->thread == thread);
    return own;
}

static hold *find_shared_hold(lock_state *lock, uint32_t thread)
{
    if (lock->places.count)
        return look_up_shared_hold(lock, thread);
    for (size_t i = 0; i < lock->shared.count; i++)
        if (lock->shared.items[i].thread == thread)
            return &lock->shared.items[i];
    return NULL;
}

static void note_place(lock_state *lock, uint32_t thread, uint32_t place)
{
    *ser_idmap_add(&lock->places, thread, NO_PLACE) = place;
}

static void add_shared_hold(lock_state *lock, hold added)
{
    ser_vector_push(&lock->shared, added);
    size_t count = lock->shared.count;
    if (count <= FEW_HOLDERS && !lock->places.count)
        return;
    for (size_t i = lock->places.count ? count - 1 : 0; i < count; i++)
        note_place(lock, lock->shared.items[i].thread, (uint32_t)i);
}

static void remove_shared_hold(lock_state *lock, hold *gone)
{
    uint32_t place = (uint32_t)(gone - lock->shared.items), thread = gone->thread;
    *gone = lock->shared.items[--lock->shared.count];
    if (lock->places.count) {
        note_place(lock, gone->thread, place);
        note_place(lock, thread, NO_PLACE);
    }
}

static bool holds_exclusively(const lock_state *lock, uint32_t thread)
{
    return lock->exclusive.depth > 0 && lock->exclusive.thread == thread;
}

static const char *name_of(const step *s, ser_space space, uint32_t number)
{
    return s->complaint->wanted ? ser_symbols_name(s->complaint->symbols, space, number) : "";
}

static const char *name_thread(const step *s, uint32_t thread)
{
    return name_of(s, SER_SPACE_THREAD, thread);
}

static const char *name_lock(const step *s)
{
    return name_of(s, SER_SPACE_LOCK, s->event->object);
}

/* `verb` is what the thread does although `holder` excludes it. */
static bool complain_about_holder(const step *s, const char *verb, const hold *holder,
                                  const char *how)
{
    return ser_rule_broken(
        s->complaint, s->event, s->number, "%s lock %s, which %s holds%s since event %llu", verb,
        name_lock(s), name_thread(s, holder->thread), how, (unsigned long long)holder->acquired);
}

static bool complain_about_free_lock(const step *s, const char *verb)
{
    const hold *last = &s->lock->exclusive;
    if (last->acquired == 0)
        return ser_rule_broken(s->complaint, s->event, s->number, "%s lock %s, which nobody holds",
                               verb, name_lock(s));
    return ser_rule_broken(s->complaint, s->event, s->number,
                           "%s lock %s, which nobody holds (acquired last at event %llu by %s)",
                           verb, name_lock(s), (unsigned long long)last->acquired,
                           name_thread(s, last->thread));
}

static bool acquire(const step *s)
{
    lock_state *lock = s->lock;
    uint32_t thread = s->event->thread;
    if (lock->exclusive.depth == 0 && lock->shared.count == 0) {
        lock->exclusive = (hold){thread, 1, s->number};
        return true;
    }
    if (holds_exclusively(lock, thread)) {
        lock->exclusive.depth++;
        s->event->flags |= SER_EVENT_INNER;
        return true;
    }
    if (lock->exclusive.depth > 0)
        return complain_about_holder(s, "acquires", &lock->exclusive, "");
    const hold *own = find_shared_hold(lock, thread);
    if (!own)
        return complain_about_holder(s, "acquires", &lock->shared.items[0], " shared");
    return ser_rule_broken(s->complaint, s->event, s->number,
                           "acquires lock %s exclusively, but holds it shared since event %llu",
                           name_lock(s), (unsigned long long)own->acquired);
}

static bool acquire_shared(const step *s)
{
    lock_state *lock = s->lock;
    uint32_t thread = s->event->thread;
    if (lock->exclusive.depth > 0 && lock->exclusive.thread != thread)
        return complain_about_holder(s, "acquires (shared)", &lock->exclusive, "");
    hold *own = find_shared_hold(lock, thread);
    if (own) {
        own->depth++;
        s->event->flags |= SER_EVENT_INNER;
        return true;
    }
    add_shared_hold(lock, (hold){thread, 1, s->number});
    return true;
}

/* A release of a lock that the thread does not hold in this mode. */
static bool complain_about_release(const step *s, const char *verb)
{
    lock_state *lock = s->lock;
    uint32_t thread = s->event->thread;
    const hold *own = find_shared_hold(lock, thread);
    if (own || holds_exclusively(lock, thread))
        return ser_rule_broken(s->complaint, s->event, s->number,
                               "%s lock %s, but holds it %s, since event %llu", verb, name_lock(s),
                               own ? "shared" : "exclusively",
                               (unsigned long long)(own ? own : &lock->exclusive)->acquired);
    if (lock->exclusive.depth > 0)
        return complain_about_holder(s, verb, &lock->exclusive, "");
    if (lock->shared.count > 0)
        return complain_about_holder(s, verb, &lock->shared.items[0], " shared");
    return complain_about_free_lock(s, verb);
}

static bool release(const step *s)
{
    lock_state *lock = s->lock;
    if (!holds_exclusively(lock, s->event->thread))
        return complain_about_release(s, "releases");
    if (--lock->exclusive.depth > 0)
        s->event->flags |= SER_EVENT_INNER;
    return true;
}

static bool release_shared(const step *s)
{
    lock_state *lock = s->lock;
    hold *own = find_shared_hold(lock, s->event->thread);
    if (!own)
        return complain_about_release(s, "releases (shared)");
    if (--own->depth > 0)
        s->event->flags |= SER_EVENT_INNER;
    else
        remove_shared_hold(lock, own);
    return true;
}

static bool fail_to_acquire(const step *s)
{
    if (s->lock->exclusive.depth > 0 || s->lock->shared.count > 0)
        return true;
    return complain_about_free_lock(s, "fails to acquire");
}

bool ser_lock_rules_check(ser_lock_rules *rules, ser_event *event, uint64_t number,
                          ser_complaint *complaint)
{
    ser_vector_extend(&rules->locks, (size_t)event->object + 1);
    step s = {event, number, &rules->locks.items[event->object], complaint};
    ser_op op = (ser_op)event->op;
    if (ser_op_acquires(op))
        return ser_op_is_shared(op) ? acquire_shared(&s) : acquire(&s);
    if (ser_op_releases(op))
        return ser_op_is_shared(op) ? release_shared(&s) : release(&s);
    return fail_to_acquire(&s);
}
