/* SPDX-License-Identifier: MIT */
/*
 * Fields and elements that are accessed by handles (SeriatimHandles.java), after it was done.
 */
#include "contract/managed.h"
#include "java/agent/agent.h"
#include "java/agent/identities.h"
#include "java/agent/sites.h"

static jint number_of_field(JNIEnv *env, jclass unused, jstring owner, jstring name)
{
    (void)unused;
    const char *class_name = (*env)->GetStringUTFChars(env, owner, NULL);
    const char *field = class_name ? (*env)->GetStringUTFChars(env, name, NULL) : NULL;
    uint32_t number = field ? ser_site_field_number(class_name, field) : 0;
    if (field)
        (*env)->ReleaseStringUTFChars(env, name, field);
    if (class_name)
        (*env)->ReleaseStringUTFChars(env, owner, class_name);
    return (jint)number;
}

static int op_of(const ser_java_site *site, bool wrote)
{
    if (site->kind == SER_CLASS_READ || !wrote)
        return SER_OP_READ;
    return site->kind == SER_CLASS_WRITE ? SER_OP_WRITE : SER_OP_RMW;
}

static void handled(JNIEnv *env, jclass unused, jobject object, jint identity, jint index,
                    jint field, jlong value, jboolean wrote, jint number)
{
    (void)unused;
    ser_thread *me = ser_java_done();
    if (!me)
        return;
    ser_java_site *site = ser_site_at((uint32_t)number);
    uint32_t id = (uint32_t)identity;
    uint64_t address = index >= 0 ? ser_managed_element(id, (uint32_t)index)
                                  : ser_managed_field(id, (uint32_t)field);
    if (index < 0)
        ser_site_name_field(site, (uint32_t)field);
    ser_identity_record(me, env, object, id);
    ser_put_record(me, address, (uint64_t)value,
                   ser_tag(op_of(site, wrote), sizeof value, ser_site_number(me, &site->place)));
    ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("field0", "(Ljava/lang/String;Ljava/lang/String;)I", number_of_field),
    SER_NATIVE("handled0", "(Ljava/lang/Object;IIIJZI)V", handled),
};

SER_NATIVES(ser_handle_natives, methods);
