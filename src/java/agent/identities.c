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
static void name_object(JNIEnv *env, jobject object, char name[LONGEST_NAME])
{
    jclass class_object = (*env)->GetObjectClass(env, object);
    snprintf(name, LONGEST_NAME, "?");
    read_signature(class_object, "", name);
    if (strcmp(name, "Class") == 0)
        read_signature(object, ".class", name);
    (*env)->DeleteLocalRef(env, class_object);
}

void ser_identity_record(ser_thread *me, JNIEnv *env, jobject object, uint32_t identity)
{
    uint8_t *byte = &named[identity >> 3], bit = (uint8_t)(1u << (identity & 7));
    if (!object || *byte & bit)
        return;
    *byte |= bit;
    char name[LONGEST_NAME];
    name_object(env, object, name);
    ser_record record = {.object = identity,
                         .value = ser_text_number(me, name),
                         .thread = (uint16_t)me->number,
                         .op = SER_RAW_OBJECT};
    ser_put_definition(me, &record);
}
