/* SPDX-License-Identifier: MIT */
/*
 * Exceptions that tasks leave in futures. If nobody has asked the future for its result when the
 * machine ends, nobody has seen it: then it is one that ended its thread's task uncaught.
 */
#include "java/agent/agent.h"
#include "java/agent/texts.h"

enum { MOST = 1024 }; /* further ones count as asked for */

/* With the token. */
static struct unasked {
    uint32_t future; /* its identity; 0: it was asked */
    uint16_t thread;
    uint64_t what; /* the number of a text */
} unasked[MOST];
static uint32_t count;

/* In the same turn in which the future got it, so that nobody can have asked before. */
static void failed(JNIEnv *env, jclass unused, jint future, jstring what)
{
    (void)unused;
    ser_thread *me = ser_java_done();
    const char *text = me && count < MOST ? (*env)->GetStringUTFChars(env, what, NULL) : NULL;
    if (text) {
        unasked[count++] = (struct unasked){.future = (uint32_t)future,
                                            .thread = (uint16_t)me->number,
                                            .what = ser_text_number(me, text)};
        (*env)->ReleaseStringUTFChars(env, what, text);
    }
    if (me)
        ser_java_leave(me);
}

static void asked(JNIEnv *env, jclass unused, jint future)
{
    (void)env, (void)unused;
    ser_thread *me = count > 0 ? ser_java_done() : NULL;
    for (uint32_t i = 0; me && i < count; i++)
        if (unasked[i].future == (uint32_t)future)
            unasked[i].future = 0;
    if (me)
        ser_java_leave(me);
}

void ser_java_report_unasked(void)
{
    ser_thread *me = count > 0 ? ser_enter() : NULL;
    ser_thread *writer = me || ser_the_world.holder ? me : ser_the_world.threads[0];
    for (uint32_t i = 0; writer && i < count; i++) {
        ser_record record = {.object = unasked[i].what,
                             .thread = unasked[i].thread,
                             .clock = writer->clock,
                             .op = SER_RAW_UNCAUGHT};
        if (unasked[i].future)
            ser_put_whole(writer, &record);
    }
    if (me)
        ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("failed0", "(ILjava/lang/String;)V", failed),
    SER_NATIVE("asked0", "(I)V", asked),
};

SER_NATIVES(ser_unasked_natives, methods);
