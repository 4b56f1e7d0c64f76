/* SPDX-License-Identifier: MIT */
/*
 * windows.h - prediction from a stream of events: every block is decided in a window around it, as
 * soon as the stream has come far enough, and events are forgotten behind it.
 *
 *     ser_windows *windows = ser_windows_create(&options);
 *     while (there are events)
 *         status = ser_windows_feed(windows, events, count, error);
 *     status = ser_windows_finish(windows, error);
 *     ser_windows_destroy(windows);
 *
 * A window reaches at least half its size beyond both ends of the block, where there are so many
 * events. A violation is one of the whole stream; that there is none is known only of the window
 * (excerpt.h), unless it holds the whole stream. The model is avp, and the criterion path.
 *
 * Most blocks are settled by facts about variables (facts.h), without a window: exactly, if the
 * facts of the whole stream were gathered before, else for all events so far.
 *
 * Blocks that end within half a window of each other are decided together, so that every event is
 * part of a few excerpts only. A block longer than the ring may get stays undecided. Memory: the
 * ring, one excerpt, and what state.h remembers of objects.
 */
#ifndef SER_STREAM_WINDOWS_H
#define SER_STREAM_WINDOWS_H

#include "predict/predict.h"
#include "stream/excerpt.h"
#include "stream/window_blocks.h"

typedef struct ser_window_result {
    const ser_window_block *block;
    /* Of the block in the excerpt's run. SER_VERDICT_UNKNOWN with SER_REASON_WINDOW: none within
     * the window. */
    const ser_block_result *result;
    const ser_excerpt *excerpt; /* with the objects of the stream, if it is a violation; NULL: it
                                   was settled by facts, or had no window */
    uint64_t first, last;       /* the window; 0: there was none */
    bool is_whole;              /* the result is that of the whole stream */
} ser_window_result;

typedef struct ser_windows_options {
    uint32_t size;               /* of a window, in events besides those of the block */
    uint64_t most;               /* events that the ring may hold; 0: 64 times the size */
    ser_predict_options predict; /* limits and engine; of the callbacks only should_stop is used */
    const ser_facts *facts;      /* of all events of the stream, found before; NULL: not known */
    /* Is the block that begins with that event to be decided? Asked in rising order. NULL: all are.
     */
    bool (*wanted)(void *context, uint64_t begin);
    /* Called for each block, in the order in which they are decided. */
    void (*decided)(void *context, const ser_window_result *result);
    void *context;
} ser_windows_options;

typedef struct ser_windows ser_windows;

ser_windows *ser_windows_create(const ser_windows_options *options);
void ser_windows_destroy(ser_windows *windows); /* accepts NULL */

/* The next events, validated and marked. SER_INTERNAL if a witness is refused. */
ser_status ser_windows_feed(ser_windows *windows, const ser_event *events, size_t count,
                            ser_error *error);

/* Nothing may come for a while: reports violations that can be seen already. Blocks that have ended
 * are decided later as well, in their whole windows, unless they were found violated. */
ser_status ser_windows_peek(ser_windows *windows, ser_error *error);

/* Blocks that are open or wait to be decided. */
size_t ser_windows_undecided(const ser_windows *windows);

/* With facts of the whole stream, while there are no such blocks: events are passed over. The next
 * one is that one, and this is what of those before it still matters, validated. */
void ser_windows_resume(ser_windows *windows, const ser_past_events *past, uint64_t next);

/* Windows begin after the events so far: those happen as observed. */
void ser_windows_forget(ser_windows *windows);

/* The stream has ended: decides what is left. */
ser_status ser_windows_finish(ser_windows *windows, ser_error *error);

#endif
