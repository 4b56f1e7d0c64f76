/* SPDX-License-Identifier: MIT */
#include "java/agent/identities.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/records/elided.h"

enum { LONGEST_NAME = 512 };

enum { MOST_PRIVATE = 1 << 28 }; /* identities beyond it are recorded */

static uint8_t *states;
static uint64_t *stamps;

/* The system gives memory to the parts that are used: identities are counted from 1 on. */
bool ser_identities_start(void)
{
    enum { FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    states = ser_map(UINT64_C(1) << 31, FLAGS, -1);
    stamps = ser_map(sizeof *stamps * MOST_PRIVATE, FLAGS, -1);
    if (states)
        states[0] = SER_OBJECT_RECORDED;
    return states && stamps;
}

const uint8_t *ser_identities_states(void)
{
    return states;
}

const uint64_t *ser_identities_stamps(void)
{
    return stamps;
}

static const char *name_of_primitive(char letter)
{
    static const char *const names[] = {
        ['B' - 'A'] = "byte", ['C' - 'A'] = "char", ['D' - 'A'] = "double", ['F' - 'A'] = "float",
        ['I' - 'A'] = "int",  ['J' - 'A'] = "long", ['S' - 'A'] = "short",  ['Z' - 'A'] = "boolean",
    };
    unsigned at = (unsigned)(letter - 'A');
    return at < sizeof names / sizeof *names && names[at] ? names[at] : "?";
}

/* A class's own name; some inner ones of the library have none. */
static const char *name_of_class(const char *element)
{
    const char *slash = strrchr(element, '/'), *name = slash ? slash + 1 : element + 1;
    if (strcmp(name, "AbstractQueuedSynchronizer$ConditionObject;") == 0)
        return "Condition";
    return name;
}

/* "[Lcom/shop/Bank$Account;" is Bank.Account[]; suffix comes behind it. */
static void write_name(const char *signature, const char *suffix, char name[LONGEST_NAME])
{
    size_t depth = strspn(signature, "[");
    const char *element = signature + depth;
    snprintf(name, LONGEST_NAME, "%s",
             *element == 'L' ? name_of_class(element) : name_of_primitive(*element));
    size_t at = strlen(name);
    if (at > 0 && name[at - 1] == ';')
        name[--at] = '\0';
    for (char *dollar = name; (dollar = strchr(dollar, '$')); dollar++)
        *dollar = '.';
    for (; depth > 0 && at + 3 < LONGEST_NAME; depth--, at += 2)
        memcpy(name + at, "[]", 3);
    snprintf(name + at, LONGEST_NAME - at, "%s", suffix);
}

static bool read_signature(jclass class_object, const char *suffix, char name[LONGEST_NAME])
{
    char *signature = NULL;
    if ((*ser_jvmti)->GetClassSignature(ser_jvmti, class_object, &signature, NULL) != 0)
        return false;
    write_name(signature, suffix, name);
    (*ser_jvmti)->Deallocate(ser_jvmti, (unsigned char *)signature);
    return true;
}

/* The object that stands for a class is called as that: Bank.class. */
static void name_object(jclass class_object, jobject object, char name[LONGEST_NAME])
{
    snprintf(name, LONGEST_NAME, "?");
    read_signature(class_object, "", name);
    if (strcmp(name, "Class") == 0)
        read_signature(object, ".class", name);
}

/* Classes of which objects were named last, and their names' numbers: most new objects are of a
 * few. With the token. */
static struct {
    jweak class_object; /* null: the entry is free */
    uint32_t text;
} lately[8];

enum { LATELY = sizeof lately / sizeof *lately };

static uint32_t find_text(JNIEnv *env, jclass class_object)
{
    for (int i = 0; i < LATELY && lately[i].class_object; i++)
        if ((*env)->IsSameObject(env, lately[i].class_object, class_object))
            return lately[i].text;
    return 0;
}

static void remember_text(JNIEnv *env, jclass class_object, uint32_t text)
{
    static unsigned next;
    unsigned at = next++ % LATELY;
    if (lately[at].class_object)
        (*env)->DeleteWeakGlobalRef(env, lately[at].class_object);
    lately[at].class_object = (*env)->NewWeakGlobalRef(env, class_object);
    lately[at].text = text;
}

static uint32_t text_of(ser_thread *me, JNIEnv *env, jobject object)
{
    jclass class_object = (*env)->GetObjectClass(env, object);
    uint32_t text = find_text(env, class_object);
    if (!text) {
        char name[LONGEST_NAME];
        name_object(class_object, object, name);
        text = ser_text_number(me, name);
        if (!strstr(name, ".class"))
            remember_text(env, class_object, text);
    }
    (*env)->DeleteLocalRef(env, class_object);
    return text;
}

static uint32_t thread_of(uint64_t stamp)
{
    return (uint16_t)(stamp >> SER_STAMP_THREAD);
}

bool ser_identity_elides(ser_thread *me, uint32_t identity)
{
    bool unseen = states[identity] == SER_OBJECT_UNSEEN,
         private =
             states[identity] == SER_OBJECT_PRIVATE && thread_of(stamps[identity]) == me->number;
    if (me->keeping || !(private || (unseen && me->locks == 0 && identity < MOST_PRIVATE)))
        return false;
    states[identity] = SER_OBJECT_PRIVATE;
    ser_leave_out(me);
    stamps[identity] = me->stamp;
    return true;
}

static bool happens_before(const ser_thread *thread, uint64_t stamp)
{
    uint32_t other = thread_of(stamp); /* those beyond SER_KNOWN elide nothing */
    return other == thread->number || thread->known[other] >= ser_stamp_operation(stamp);
}

/* Does what was elided happen before all that any thread does now? Then it does so for threads that
 * start later, too. Not asked of many threads: that would take long. */
static bool happens_before_all(uint64_t stamp)
{
    enum { MANY = 64 };
    const ser_runtime_world *world = &ser_the_world;
    if (world->thread_count > MANY)
        return false;
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (world->threads[i]->state != SER_ENDED && !happens_before(world->threads[i], stamp))
            return false;
    return true;
}

/* The thread's next event comes after what another one did with the object while it was private. */
static void stay_behind(ser_thread *me, uint64_t stamp)
{
    uint32_t other = thread_of(stamp);
    if (happens_before(me, stamp))
        return;
    me->known[other] = ser_stamp_operation(stamp);
    me->learned++;
    ser_put_note(me, SER_RAW_AFTER, other, ser_stamp_operation(stamp), 0);
}

static void record_name(ser_thread *me, JNIEnv *env, jobject object, uint32_t identity)
{
    ser_record record = {.object = identity,
                         .value = text_of(me, env, object),
                         .thread = (uint16_t)me->number,
                         .op = SER_RAW_OBJECT};
    ser_put_definition(me, &record);
}

void ser_identity_record(ser_thread *me, JNIEnv *env, jobject object, uint32_t identity)
{
    uint8_t *state = &states[identity];
    if (!object || *state == SER_OBJECT_RECORDED)
        return;
    if (*state != SER_OBJECT_SHARED)
        record_name(me, env, object, identity);
    if (*state != SER_OBJECT_UNSEEN)
        stay_behind(me, stamps[identity]);
    bool recorded = *state == SER_OBJECT_UNSEEN || happens_before_all(stamps[identity]);
    *state = recorded ? SER_OBJECT_RECORDED : SER_OBJECT_SHARED;
}
