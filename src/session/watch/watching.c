/* SPDX-License-Identifier: MIT */
/*
 * Two threads: the recorder's hands records over (collect), the other one makes segments of them
 * (analyse_segments). If that falls behind, the recorder waits, and with it, once its rings are
 * full, the program.
 */
#include "session/watch/watching.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/output/log.h"
#include "session/watch/attachment.h"
#include "session/watch/control.h"
#include "session/watch/segment.h"

/* Records. A segment's memory is what a watched program costs: it must not depend on how long the
 * machine was busy with something else. */
enum { LARGEST_SEGMENT = 1 << 16, MOST_WAITING = 1 << 17 };

typedef SER_VECTOR(ser_record) record_list;

typedef struct work {
    const ser_watching *options;
    ser_segments *segments;
    ser_control *control; /* these two are the recorder's */
    ser_attachment attachment;
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t change;
    record_list waiting; /* records that no segment has yet */
    bool is_past;        /* they are not looked at: the program was detached */
    bool is_due;         /* they are awaited */
    bool ended;          /* no more will come */
    ser_status status;   /* of the analysis */
    ser_error error;
    ser_segments_count so_far;
} work;

/* --- commands ------------------------------------------------------------------------------------
 */

static void describe(work *all, char *text, size_t size)
{
    static const char *const stages[] = {"attached", "detached", "attaching", "catching up"};
    pthread_mutex_lock(&all->lock);
    const ser_segments_count so_far = all->so_far;
    pthread_mutex_unlock(&all->lock);
    snprintf(text, size, "%s: %" PRIu64 " events in %" PRIu64 " segments, %zu violations",
             stages[all->attachment.stage], so_far.events, so_far.segments, so_far.places);
}

/* False: the program is left. */
static bool obey(work *all, ser_program *program, const char *word)
{
    char answer[128] = "unknown command";
    bool leaves = strcmp(word, "leave") == 0, attaches = strcmp(word, "attach") == 0;
    if (attaches || strcmp(word, "detach") == 0)
        ser_attachment_set(&all->attachment, program, attaches);
    if (leaves)
        snprintf(answer, sizeof answer, "left process %d running", (int)program->process);
    else if (attaches || strcmp(word, "detach") == 0 || strcmp(word, "status") == 0)
        describe(all, answer, sizeof answer);
    ser_control_answer(all->control, answer);
    return !leaves;
}

/* The tend of record.h. */
static bool tend(void *context, ser_program *program)
{
    work *all = context;
    char word[SER_CONTROL_WORD];
    bool stays = true;
    if (all->attachment.stage == SER_DETACHED)
        ser_program_pause(program, true);
    while (stays && ser_control_next(all->control, word))
        stays = obey(all, program, word);
    ser_attachment_tend(&all->attachment, program);
    return stays;
}

ser_status ser_watch_tell(const char *folder, const char *command, ser_error *error)
{
    return ser_control_tell(folder, command, error);
}

/* --- records -------------------------------------------------------------------------------------
 */

/* The look of record.h. */
static bool collect(void *context, ser_program *program, const ser_record *records, size_t count)
{
    work *all = context;
    (void)program;
    bool is_past = all->attachment.stage != SER_ATTACHED;
    pthread_mutex_lock(&all->lock);
    while (all->status == SER_OK && all->waiting.count > 0 &&
           (all->waiting.count > MOST_WAITING || all->is_past != is_past)) {
        all->is_due = true;
        pthread_cond_broadcast(&all->change);
        pthread_cond_wait(&all->change, &all->lock);
    }
    all->is_past = is_past;
    for (size_t i = 0; i < count && all->status == SER_OK; i++)
        ser_vector_push(&all->waiting, records[i]);
    if (all->waiting.count > LARGEST_SEGMENT)
        pthread_cond_broadcast(&all->change);
    pthread_mutex_unlock(&all->lock);
    return true;
}

/* Until it is time for a segment. The lock is held. */
static void await_segment(work *all)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += (time_t)all->options->every;
    end.tv_nsec += (long)((all->options->every - (double)(time_t)all->options->every) * 1e9);
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    while (!all->ended && !all->is_due && all->waiting.count <= LARGEST_SEGMENT &&
           pthread_cond_timedwait(&all->change, &all->lock, &end) != ETIMEDOUT)
        ;
}

static ser_status analyse(work *all, const record_list *fresh, ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t at = 0; at < fresh->count && status == SER_OK; at += LARGEST_SEGMENT) {
        size_t left = fresh->count - at;
        status = ser_segments_add(all->segments, fresh->items + at,
                                  left < LARGEST_SEGMENT ? left : LARGEST_SEGMENT, error);
    }
    return status;
}

static void *analyse_segments(void *context)
{
    work *all = context;
    ser_error error = {0};
    ser_status status = SER_OK;
    pthread_mutex_lock(&all->lock);
    for (bool is_last = false; !is_last && status == SER_OK;) {
        await_segment(all);
        is_last = all->ended;
        record_list fresh = all->waiting;
        bool is_past = all->is_past;
        all->waiting = (record_list){0};
        all->is_due = false;
        pthread_cond_broadcast(&all->change);
        pthread_mutex_unlock(&all->lock);
        if (is_past)
            ser_segments_pass(all->segments, fresh.items, fresh.count);
        else
            status = analyse(all, &fresh, &error);
        ser_vector_free(&fresh);
        pthread_mutex_lock(&all->lock);
        all->so_far = ser_segments_so_far(all->segments);
    }
    all->status = status;
    all->error = error;
    pthread_cond_broadcast(&all->change);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

static ser_status record(work *all, ser_error *error)
{
    ser_recording *recording = all->options->recording;
    pthread_t analyst;
    recording->options.look = collect;
    recording->options.tend = tend;
    recording->options.context = all;
    recording->options.only_look = true;
    recording->options.limit = (ser_limit){.events = UINT64_MAX, .bytes = UINT64_MAX};
    if (pthread_create(&analyst, NULL, analyse_segments, all) != 0)
        return ser_fail(error, SER_INTERNAL, "cannot start a thread");
    ser_status status =
        ser_recording_run_quietly(recording, ser_segments_spool(all->segments), error);
    pthread_mutex_lock(&all->lock);
    all->ended = true;
    pthread_cond_broadcast(&all->change);
    pthread_mutex_unlock(&all->lock);
    pthread_join(analyst, NULL);
    if (status == SER_OK && all->status != SER_OK) {
        status = all->status;
        *error = all->error;
    }
    return status;
}

ser_status ser_watch(const ser_watching *options, ser_error *error)
{
    work all = {.options = options,
                .attachment = {.stage = options->detached ? SER_DETACHED : SER_ATTACHED}};
    ser_status status = ser_control_open(&all.control, options->folder, error);
    if (status != SER_OK)
        return status;
    ser_keep_pieces();
    const ser_segments_options segments = {
        .folder = options->folder,
        .reading = options->reading,
        .window = options->window,
        .keep = options->keep,
        .predict = options->predict,
        .start = ser_clock_now(),
    };
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.change, NULL);
    all.segments = ser_segments_create(&segments);
    status = record(&all, error);
    if (status == SER_OK)
        status = ser_segments_conclude(all.segments);
    ser_segments_destroy(all.segments);
    ser_attachment_fini(&all.attachment);
    ser_control_close(all.control);
    ser_vector_free(&all.waiting);
    pthread_cond_destroy(&all.change);
    pthread_mutex_destroy(&all.lock);
    return status;
}
