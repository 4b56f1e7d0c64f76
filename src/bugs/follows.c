/* SPDX-License-Identifier: MIT */
#include "bugs/follows.h"

bool ser_bug_has_key(const ser_bug *bug, const char *key)
{
    bool found = strcmp(bug->key, key) == 0;
    for (size_t i = 0; !found && i < bug->sides.count; i++)
        found = strcmp(bug->sides.items[i], key) == 0;
    for (size_t i = 0; !found && i < bug->others.count; i++)
        found = ser_bug_has_key(&bug->others.items[i], key);
    return found;
}

/* The entry of what the bug follows from; NULL: it is not reported by itself. */
static ser_bug *find_entry(const ser_bugs *bugs, const ser_bug *bug)
{
    for (size_t i = 0; bug->follows && i < bugs->list.count; i++) {
        ser_bug *other = &bugs->list.items[i];
        if (other != bug && !other->follows && other->status >= SER_BUG_OBSERVED &&
            ser_bug_has_key(other, bug->follows))
            return other;
    }
    return NULL;
}

void ser_bug_tell_with(ser_bug *entry, ser_bug *bug)
{
    for (size_t i = 0; i < bug->others.count; i++)
        ser_vector_push(&entry->others, bug->others.items[i]);
    ser_vector_free(&bug->others);
    ser_vector_push(&entry->others, *bug);
}

void ser_bugs_fold_followers(ser_bugs *bugs)
{
    for (size_t i = 0; i < bugs->list.count;) {
        ser_bug *bug = &bugs->list.items[i], *entry = find_entry(bugs, bug);
        if (!entry) {
            i++;
            continue;
        }
        ser_bug_tell_with(entry, bug);
        bugs->list.count--;
        memmove(bug, bug + 1, (bugs->list.count - i) * sizeof *bug);
    }
}
