/* SPDX-License-Identifier: MIT */
#include "java/agent/identities.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { LONGEST_NAME = 512 };

static uint8_t *named; /* a bit for each identity */

/* The system gives memory to the parts that are used: identities are counted from 1 on. */
bool ser_identities_start(void)
{
    const size_t bytes = (UINT64_C(1) << 31) / 8;
    named = ser_map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    if (named)
        named[0] = 1;
    return named;
}

const uint8_t *ser_identities_named(void)
{
    return named;
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

void ser_identity_record(ser_thread *me, JNIEnv *env, jobject object, uint32_t identity)
{
    uint8_t *byte = &named[identity >> 3], bit = (uint8_t)(1u << (identity & 7));
    if (!object || *byte & bit)
        return;
    *byte |= bit;
    ser_record record = {.object = identity,
                         .value = text_of(me, env, object),
                         .thread = (uint16_t)me->number,
                         .op = SER_RAW_OBJECT};
    ser_put_definition(me, &record);
}
