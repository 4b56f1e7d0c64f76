/* SPDX-License-Identifier: MIT */
/*
 * HotSpot describes its structures for debuggers in exported tables (gHotSpotVMStructs): names of
 * types and fields with their offsets. Two fields are needed: what kind of code a thread is in, and
 * whether it waits for a monitor, parks or sleeps.
 */
#include "java/agent/asleep.h"

#include <dlfcn.h>
#include <string.h>

static struct {
    bool known;
    uint64_t code;    /* JavaThread._thread_state */
    uint64_t waiting; /* JavaThread._osthread, and therein */
    uint64_t reason;  /* OSThread._state */
} offsets;

/* As HotSpot numbers them; they are part of the interface of its debuggers and have not changed
 * since Java 7. */
enum { IN_NATIVE = 4, IN_NATIVE_TRANSITION = 5 };
enum { MONITOR_WAIT = 3, SLEEPING = 7 }; /* between them: conditions, Object.wait, breakpoints */

static uint64_t exported(const char *name)
{
    const uint64_t *symbol = dlsym(RTLD_DEFAULT, name);
    return symbol ? *symbol : 0;
}

static const char *text_at(const char *entry, uint64_t offset)
{
    const char *text;
    memcpy(&text, entry + offset, sizeof text);
    return text;
}

static bool find_offset(const char *type, const char *field, uint64_t *offset)
{
    const char *entry = (const char *)(uintptr_t)exported("gHotSpotVMStructs");
    uint64_t size = exported("gHotSpotVMStructEntryArrayStride");
    uint64_t type_at = exported("gHotSpotVMStructEntryTypeNameOffset");
    uint64_t field_at = exported("gHotSpotVMStructEntryFieldNameOffset");
    uint64_t offset_at = exported("gHotSpotVMStructEntryOffsetOffset");
    if (!entry || !size || !offset_at)
        return false;
    for (; text_at(entry, type_at); entry += size)
        if (strcmp(text_at(entry, type_at), type) == 0 && text_at(entry, field_at) &&
            strcmp(text_at(entry, field_at), field) == 0) {
            memcpy(offset, entry + offset_at, sizeof *offset);
            return true;
        }
    return false;
}

void ser_java_asleep_start(void)
{
    offsets.known = find_offset("JavaThread", "_thread_state", &offsets.code) &&
                    (find_offset("JavaThread", "_osthread", &offsets.waiting) ||
                     find_offset("Thread", "_osthread", &offsets.waiting)) &&
                    find_offset("OSThread", "_state", &offsets.reason);
}

static int32_t read_number(uint64_t address)
{
    return __atomic_load_n((const int32_t *)(uintptr_t)address, __ATOMIC_RELAXED);
}

static int32_t reason_of(uint64_t machine)
{
    uint64_t system =
        __atomic_load_n((const uint64_t *)(uintptr_t)(machine + offsets.waiting), __ATOMIC_RELAXED);
    return system ? read_number(system + offsets.reason) : MONITOR_WAIT;
}

bool ser_java_enters_monitor(const ser_thread *thread)
{
    return !thread->machine || !offsets.known || reason_of(thread->machine) == MONITOR_WAIT;
}

bool ser_java_awaits_machine(const ser_thread *thread)
{
    uint64_t machine = thread->machine;
    if (!machine || !offsets.known)
        return false;
    int32_t code = read_number(machine + offsets.code), reason = reason_of(machine);
    bool native = code == IN_NATIVE || code == IN_NATIVE_TRANSITION;
    return !native && (reason < MONITOR_WAIT || reason > SLEEPING);
}
