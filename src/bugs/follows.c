/* SPDX-License-Identifier: MIT */
#include "bugs/follows.h"

static bool has_key(const ser_bug *bug, const char *key)
{
    if (strcmp(bug->key, key) == 0)
        return true;
    for (size_t i = 0; i < bug->others.count; i++)
        if (strcmp(bug->others.items[i].key, key) == 0)
            return true;
    return false;
}

/* The entry of what the bug follows from; NULL: it is not told by itself. */
static ser_bug *find_entry(const ser_bugs *bugs, const ser_bug *bug)
{
    for (size_t i = 0; bug->follows && i < bugs->list.count; i++) {
        ser_bug *other = &bugs->list.items[i];
        if (other != bug && !other->follows && other->status >= SER_BUG_OBSERVED &&
            has_key(other, bug->follows))
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
