/* SPDX-License-Identifier: MIT */
/*
 * Accesses of fields and elements, and calls and returns: most of all events.
 */
#include "contract/abi.h"
#include "contract/managed.h"
#include "java/agent/agent.h"
#include "java/agent/fast_path.h"
#include "java/agent/identities.h"
#include "java/agent/sites.h"
#include "runtime/core/records/elided.h"

static ser_runtime_world *const world = &ser_the_world;

__thread ser_java_self ser_java_me;

/* Natives do not call Java while inside: if the thread is, an error (the stack was full) has ended
 * the fast path before it left. */
static void recover(void)
{
    if (ser_self->inside == SER_INSIDE && ser_self->machine)
        ser_leave(ser_self);
}

/* Elided operations are counted in a record before the next event. */
static ser_thread *count_elided(ser_thread *me)
{
    if (me)
        ser_record_elided(me);
    return me;
}

static ser_thread *enter_step(void)
{
    recover();
    return ser_enter();
}

static ser_thread *enter_done(void)
{
    recover();
    ser_thread *me = ser_enter_in_turn();
    if (me && ser_java_me.turn != world->turn)
        ser_lose(1);
    return me;
}

ser_thread *ser_java_step(void)
{
    return count_elided(enter_step());
}

ser_thread *ser_java_done(void)
{
    return count_elided(enter_done());
}

void ser_java_leave(ser_thread *me)
{
    ser_java_me.turn = world->turn;
    ser_leave(me);
}

static ser_thread *set_place(ser_thread *me, jint site)
{
    if (me && site > 0) {
        me->at = ser_site_number(me, &ser_site_at((uint32_t)site)->place);
        ser_java_me.depth = me->depth;
    }
    return me;
}

uint32_t ser_java_place(const ser_thread *me)
{
    return me->depth >= ser_java_me.depth ? me->at : 0;
}

ser_thread *ser_java_step_at(jint site)
{
    return set_place(ser_java_step(), site);
}

ser_thread *ser_java_done_at(jint site)
{
    return set_place(ser_java_done(), site);
}

static void step(JNIEnv *env, jclass unused)
{
    (void)env, (void)unused;
    ser_thread *me = enter_step();
    if (me)
        ser_java_leave(me);
}

static void put_access(JNIEnv *env, jclass unused, jobject object, jint identity, jint index,
                       jlong value, jint number)
{
    (void)unused;
    ser_thread *me = enter_done();
    if (!me)
        return;
    ser_java_site *site = ser_site_at((uint32_t)number);
    uint32_t id = (uint32_t)identity;
    uint64_t address = index >= 0 ? ser_managed_element(id, (uint32_t)index)
                                  : ser_managed_field(id, ser_site_field(site));
    int op = site->kind == SER_CLASS_READ ? SER_OP_READ : SER_OP_WRITE;
    uint64_t tag = ser_tag(op, sizeof value, ser_site_number(me, &site->place));
    ser_fast_path_learn_access((uint32_t)number, tag, (uint32_t)address);
    if (!ser_identity_elides(me, id)) {
        ser_record_elided(me);
        ser_identity_record(me, env, object, id);
        ser_put_record(me, address, (uint64_t)value, tag);
    }
    ser_java_leave(me);
}

/* What runs a thread is of the library. It is no call in the trace where a task is all that the
 * thread does, so that such a task is its first function, which is seldom meant to be atomic. A
 * method that the program has named otherwise (`new Thread(account::withdraw)`) is one like any
 * other: it gets a caller. */
static ser_abi_site thread_run = {.function = "java.lang.Thread.run"};

static void note_caller(ser_thread *me, const ser_java_site *site)
{
    if (me->depth == 0 && !site->is_work)
        ser_frame_enter(me, ser_site_number(me, &thread_run));
}

/* The caller of the thread's last method does not call this task. */
static void end_caller(const ser_java_site *site)
{
    const ser_thread *me = ser_self;
    if (me->depth == 1 && site->is_work && me->calls[0].site == thread_run.number &&
        thread_run.number)
        __seriatim_leave(0);
}

static void note_call(JNIEnv *env, jclass unused, jint number)
{
    (void)env, (void)unused;
    if (!world->options.calls)
        return;
    recover();
    end_caller(ser_site_at((uint32_t)number));
    ser_thread *me = enter_step();
    if (!me)
        return;
    note_caller(me, ser_site_at((uint32_t)number));
    uint32_t place = ser_site_number(me, &ser_site_at((uint32_t)number)->place);
    ser_fast_path_learn_call((uint32_t)number, place);
    ser_frame_enter(me, place);
    ser_java_leave(me);
}

/* Methods that were not rewritten may have left others open: an exception went through a
 * constructor that had called them. They end here. */
static void note_return(JNIEnv *env, jclass unused, jint number)
{
    (void)env, (void)unused;
    recover();
    const ser_thread *me = ser_self;
    uint32_t depth = me->depth, site = ser_site_at((uint32_t)number)->place.number;
    if (depth > me->call_room)
        return;
    while (depth > 0 && me->calls[depth - 1].site != site)
        depth--;
    if (depth == 0)
        return;
    __seriatim_leave(depth - 1);
    ser_java_me.turn = world->turn;
}

static void begin_block(JNIEnv *env, jclass unused, jint number)
{
    (void)env, (void)unused;
    const ser_abi_site *place = &ser_site_at((uint32_t)number)->place;
    __seriatim_atomic_begin(place->function, place->file, (int)place->line, place->function);
    ser_java_me.turn = world->turn;
}

static void end_block(JNIEnv *env, jclass unused, jint number)
{
    (void)env, (void)unused;
    const ser_abi_site *place = &ser_site_at((uint32_t)number)->place;
    __seriatim_atomic_end(place->file, (int)place->line, place->function);
    ser_java_me.turn = world->turn;
}

static void note_place(JNIEnv *env, jclass unused, jint number)
{
    (void)env, (void)unused;
    recover();
    __seriatim_at(&ser_site_at((uint32_t)number)->place);
    ser_java_me.depth = ser_self->depth;
    ser_java_me.turn = world->turn;
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("step0", "()V", step),
    SER_NATIVE("access0", "(Ljava/lang/Object;IIJI)V", put_access),
    SER_NATIVE("called0", "(I)V", note_call),
    SER_NATIVE("returned0", "(I)V", note_return),
    SER_NATIVE("blockBegins", "(I)V", begin_block),
    SER_NATIVE("blockEnds", "(I)V", end_block),
    SER_NATIVE("at", "(I)V", note_place),
};

SER_NATIVES(ser_access_natives, methods);
