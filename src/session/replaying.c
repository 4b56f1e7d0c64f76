/* SPDX-License-Identifier: MIT */
#include "session/replaying.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "bugs/failures.h"
#include "session/loaded.h"

/* --- was it shown? -------------------------------------------------------- */

/* The first event of a thread's operation; 0 if the run does not have it. */
static uint32_t find_operation(const ser_run *run, uint32_t thread, uint64_t number)
{
    const ser_event_list *events = &run->threads.items[thread].events;
    uint64_t *numbers = ser_operation_numbers(run);
    uint32_t found = 0;
    for (size_t i = 0; i < events->count && !found; i++)
        if (numbers[events->items[i]] == number && ser_operation_starts(run, events->items[i]))
            found = events->items[i];
    free(numbers);
    return found;
}

/* Appends the replay's block that begins with the same operation of the same thread. This finds
 * the block also if the code has moved since and no place is the same. */
static void add_block_of_operation(const ser_replay_aim *aim, const ser_plan *plan,
                                   const ser_run *replay, ser_block_list *blocks)
{
    uint32_t original = aim->run->events[aim->block].thread, thread;
    if (!ser_run_find_thread(replay, aim->run->threads.items[original].number, &thread))
        return;
    uint32_t begin = find_operation(replay, thread, plan->numbers[aim->block]);
    if (begin && (replay->events[begin].flags & SER_EVENT_OPENS) && replay->block_of[begin])
        ser_vector_push(blocks, replay->block_of[begin] - 1);
}

static bool shows_one(const ser_replay_aim *aim, const ser_run *replay,
                      const ser_block_list *blocks)
{
    ser_witness_facts facts;
    uint32_t block;
    bool shown = ser_find_violated(replay, blocks, &aim->filter, &block, &facts);
    if (shown && aim->shown)
        aim->shown(aim->context, replay, block, &facts);
    ser_witness_facts_fini(&facts);
    return shown;
}

static bool shows_violation(const ser_replay_aim *aim, const ser_plan *plan, bool by_place,
                            ser_run *replay)
{
    ser_block_list blocks = {0};
    ser_blocks_of_code(replay, aim->run, aim->block, &blocks);
    if (!blocks.count && ser_mark_code(replay, aim->run, aim->block))
        ser_blocks_of_code(replay, aim->run, aim->block, &blocks);
    if (!blocks.count && !by_place)
        add_block_of_operation(aim, plan, replay, &blocks);
    bool shown = shows_one(aim, replay, &blocks);
    ser_vector_free(&blocks);
    return shown;
}

/* What the trace's notes say; NULL: nothing. */
static const char *build_of(const ser_run *run)
{
    size_t length = strlen(SER_FINISH_BUILD);
    for (uint32_t i = 0; run->symbols && i < ser_symbols_note_count(run->symbols); i++)
        if (strncmp(ser_symbols_note(run->symbols, i), SER_FINISH_BUILD, length) == 0)
            return ser_symbols_note(run->symbols, i) + length;
    return NULL;
}

static bool is_other_build(const ser_run *recorded, const ser_run *replay)
{
    const char *before = build_of(recorded), *now = build_of(replay);
    return before && now && strcmp(before, now) != 0;
}

/* A trace that was cut off may be unreadable; then it shows nothing. */
static ser_status judge(const ser_replay_aim *aim, const ser_follower *follower, bool *shown,
                        bool *other_build, ser_error *error)
{
    bool is_whole = follower->replayed && aim->block; /* 0: the aim is not a block */
    const ser_source_settings settings = {
        .verb = "look at", .path = aim->trace, .reading = aim->reading};
    ser_error cut;
    ser_loaded replay;
    ser_status status = ser_loaded_make(&replay, &settings, is_whole ? error : &cut);
    *other_build = status == SER_OK && is_other_build(aim->run, replay.run);
    *shown = aim->block && status == SER_OK &&
             shows_violation(aim, follower->plan, follower->by_place, replay.run);
    ser_loaded_close(&replay);
    return is_whole ? status : SER_OK;
}

/* The signal that ended the recorded run, as a note in the trace says; 0: none. */
static int recorded_signal(const ser_run *run)
{
    static const size_t words = sizeof SER_RECORD_SIGNAL_NOTE - sizeof "%d";
    for (uint32_t i = 0; run->symbols && i < ser_symbols_note_count(run->symbols); i++) {
        const char *note = ser_symbols_note(run->symbols, i);
        if (strncmp(note, SER_RECORD_SIGNAL_NOTE, words) == 0)
            return (int)strtol(note + words, NULL, 10);
    }
    return 0;
}

/* A run without a block to look at: was it followed to its end, or to a failure before that? */
static bool happened_again(const ser_replay_aim *aim, const ser_follower *follower,
                           const ser_record_outcome *outcome)
{
    int signal = recorded_signal(aim->run);
    if (signal && signal != outcome->signal)
        return false;
    bool failed = (outcome->signal || outcome->deadlock) && !outcome->overran &&
                  !outcome->interrupted && !outcome->out_of_time && !outcome->dismissed;
    return !follower->diverged && !follower->lost && (follower->replayed || failed);
}

static bool misuses_memory(const ser_run *run)
{
    ser_failures failures = {0};
    ser_failures_add_memory_errors(&failures, 0, run);
    bool found = failures.count > 0;
    ser_failures_fini(&failures);
    return found;
}

/* --- attempts ------------------------------------------------------------- */

/* The time of all runs has passed: what still runs is cut short. */
static bool is_over(const ser_recording *recording)
{
    return recording->until > 0 && ser_clock_now() >= recording->until;
}

static void note_stop(ser_replay_result *result)
{
    result->verdict = SER_REPLAY_DIVERGED;
    result->event = 0;
    snprintf(result->reason, sizeof result->reason, "%s before the schedule was followed",
             ser_was_interrupted() ? "interrupted" : "the time was used up");
}

static void note_divergence(const ser_follower *follower, const ser_record_outcome *outcome,
                            ser_replay_result *result)
{
    char *reason = result->reason;
    size_t size = sizeof result->reason;
    result->verdict = SER_REPLAY_DIVERGED;
    if (follower->by_place && !follower->diverged && !result->stopped)
        return; /* what the strict attempts saw is more precise than a lost turn */
    result->event = follower->event;
    result->waited |= follower->waited;
    if (result->stopped)
        note_stop(result);
    else if (outcome->overran)
        snprintf(reason, size, "the program exceeded its time limit (--run-limit) and was ended");
    else if (follower->diverged)
        snprintf(reason, size, "%s", follower->reason);
    else
        snprintf(reason, size, "the program ended before the schedule did");
}

static void note_not_shown(const ser_follower *follower, const ser_record_outcome *outcome,
                           bool has_block, ser_replay_result *result)
{
    if (!follower->replayed || follower->diverged || follower->lost) {
        note_divergence(follower, outcome, result);
        return;
    }
    result->verdict = SER_REPLAY_NOT_SHOWN;
    result->event = 0;
    snprintf(result->reason, sizeof result->reason, "the schedule was followed, but the %s",
             has_block ? "block was not violated" : "program ended otherwise than recorded");
}

/* The event where the thread of a changed read has left its path after it; 0 if none has. */
static uint32_t find_departure(const ser_replay_aim *aim, const ser_follower *follower)
{
    for (size_t i = 0; aim->changed && i < aim->changed->count; i++) {
        uint32_t read = aim->changed->items[i];
        uint32_t thread = follower->plan->created.items[aim->run->events[read].thread];
        if (thread >= follower->followed.count)
            continue;
        const ser_followed_thread *followed = &follower->followed.items[thread];
        if (followed->astray && followed->left > read)
            return followed->left;
    }
    return 0;
}

/* A run that was only recorded in part, such as one that polls for ever, is out of bounds, too. */
static void note_refutation(const ser_replay_aim *aim, const ser_follower *follower,
                            const ser_record_outcome *outcome, ser_replay_result *result)
{
    result->in_bounds =
        follower->by_place && follower->replayed && follower->bounds == 0 && !*outcome->stopped;
    result->left = result->in_bounds ? find_departure(aim, follower) : 0;
    if (result->left)
        result->outcome = SER_REPLAY_REFUTED;
}

static void set_observer(ser_record_options *options, const ser_replay_aim *aim,
                         ser_follower *follower)
{
    const ser_replay_watcher *watcher = aim->watcher;
    options->look = watcher ? watcher->look : ser_follower_look;
    options->is_done = watcher ? watcher->is_done : ser_follower_is_done;
    options->context = watcher ? watcher->context : follower;
    options->step_limit = watcher ? watcher->begin(watcher->context, follower, aim) : 0;
    options->is_all_or_nothing = !watcher && !follower->by_place;
}

static ser_status attempt(ser_recording *recording, const ser_replay_aim *aim, const ser_plan *plan,
                          ser_follower *follower, ser_error *error)
{
    ser_record_options *options = &recording->options;
    options->parallel = false;
    options->turns = plan->turns.items;
    options->turn_count = plan->turns.count;
    options->gaps = plan->gaps.items;
    options->gap_count = plan->gaps.count;
    options->output = aim->output;
    options->grace = aim->grace;
    set_observer(options, aim, follower);
    ser_status status = ser_recording_run_quietly(recording, aim->trace, error);
    options->turn_count = 0;
    options->gap_count = 0;
    options->output = NULL;
    options->look = NULL;
    options->is_done = NULL;
    options->is_all_or_nothing = false;
    options->step_limit = 0;
    if (aim->watcher)
        aim->watcher->end(aim->watcher->context);
    return status;
}

static void note_ending(const ser_recording *recording, const ser_follower *follower,
                        ser_replay_result *result)
{
    const ser_record_outcome *outcome = &recording->outcome;
    bool stopped =
        outcome->interrupted || outcome->out_of_time || (outcome->overran && is_over(recording));
    bool is_done = ser_follower_is_done(follower);
    result->attempts++;
    result->by_place = follower->by_place;
    result->status = outcome->status;
    result->signal = outcome->signal;
    result->deadlock = outcome->deadlock;
    result->missing_inputs = follower->missing_inputs;
    result->out_of_grace = outcome->dismissed || outcome->overran || stopped;
    result->left_schedule = outcome->dismissed && !is_done;
    result->stopped = stopped && !is_done;
}

static ser_status try_once(ser_recording *recording, const ser_replay_aim *aim,
                           const ser_plan *plan, bool by_place, ser_replay_result *result,
                           ser_error *error)
{
    ser_follower follower;
    const ser_record_outcome *outcome = &recording->outcome;
    bool shown = false;
    ser_follower_init(&follower, plan, by_place);
    ser_status status = attempt(recording, aim, plan, &follower, error);
    note_ending(recording, &follower, result);
    if (status == SER_UNDECIDED)
        status = SER_OK; /* it was ended so soon that there is not even a trace */
    if (status == SER_OK && outcome->instrumented)
        status = judge(aim, &follower, &shown, &result->other_build, error);
    if (status == SER_OK && !aim->block)
        shown = happened_again(aim, &follower, outcome);
    if (shown) {
        result->misuses_memory = !aim->block && misuses_memory(aim->run);
        result->verdict = SER_REPLAY_SHOWN;
        result->outcome = SER_REPLAY_CONFIRMED;
        result->event = 0;
        *result->reason = '\0';
    } else {
        note_not_shown(&follower, outcome, aim->block != 0, result);
        note_refutation(aim, &follower, outcome, result);
    }
    ser_follower_fini(&follower);
    return status;
}

void ser_replay_give_inputs(ser_recording *recording, const ser_input_list *inputs)
{
    recording->options.inputs = inputs ? inputs->items : NULL;
    recording->options.input_count = inputs ? inputs->count : 0;
}

/* Also if the signal came between two attempts. */
static bool is_stopped(const ser_recording *recording, ser_replay_result *result)
{
    if (!result->stopped && (ser_was_interrupted() || ser_should_stop() || is_over(recording))) {
        result->stopped = true;
        note_stop(result);
    }
    return result->stopped;
}

/* An attempt that exceeded its limit is not repeated: the next one would, too. */
static bool took_too_long(const ser_recording *recording, const ser_replay_result *result)
{
    return result->attempts > 0 && recording->outcome.overran;
}

/* The recorded inputs may themselves make the program diverge: it may ask the system about the
 * recorded process number that it was given. So the last of several attempts is made without
 * them. */
static ser_status try_often(ser_recording *recording, const ser_replay_aim *aim,
                            const ser_plan *plan, ser_replay_result *result, ser_error *error)
{
    ser_status status = SER_OK;
    while (status == SER_OK && result->verdict != SER_REPLAY_SHOWN &&
           result->attempts < aim->attempts && !took_too_long(recording, result) &&
           !is_stopped(recording, result)) {
        if (result->attempts > 0 && result->attempts + 1 == aim->attempts)
            recording->options.input_count = 0;
        status = try_once(recording, aim, plan, false, result, error);
    }
    return status;
}

/* Not after a schedule that was followed step by step: by place it would lead to the same. Nor
 * for a watcher, which wants to see one attempt only. */
static bool wants_places(const ser_recording *recording, const ser_replay_aim *aim,
                         ser_replay_result *result)
{
    return result->verdict == SER_REPLAY_DIVERGED && !aim->strict && !aim->watcher &&
           !recording->outcome.overran && !is_stopped(recording, result);
}

static bool was_cut_short(const ser_recording *recording, const ser_replay_aim *aim,
                          ser_replay_result *result)
{
    return result->verdict == SER_REPLAY_SHOWN && result->left_schedule && !aim->strict &&
           !aim->watcher && !is_stopped(recording, result);
}

static ser_status try_by_place(ser_recording *recording, const ser_replay_aim *aim, ser_plan *plan,
                               ser_replay_result *result, ser_error *error)
{
    ser_plan_by_place(plan);
    ser_replay_give_inputs(recording, aim->inputs);
    return try_once(recording, aim, plan, true, result, error);
}

/* The program has left the schedule and was ended, but what it had done until then shows what was
 * asked for. How does it end by itself? By place it may go on. */
static ser_status see_how_it_ends(ser_recording *recording, const ser_replay_aim *aim,
                                  ser_plan *plan, ser_replay_result *result, ser_error *error)
{
    ser_replay_result better = {.verdict = SER_REPLAY_DIVERGED, .attempts = result->attempts};
    ser_status status = try_by_place(recording, aim, plan, &better, error);
    result->attempts = better.attempts;
    if (status == SER_OK && better.verdict == SER_REPLAY_SHOWN)
        *result = better;
    return status;
}

ser_status ser_replay(ser_recording *recording, const ser_replay_aim *aim,
                      ser_replay_result *result, ser_error *error)
{
    ser_plan plan;
    ser_replay_aim now = *aim;
    ser_input_list inputs = {0};
    *result = (ser_replay_result){.verdict = SER_REPLAY_DIVERGED};
    ser_status status = ser_plan_make(&plan, aim->run, aim->order->items, aim->order->count, error);
    if (status == SER_OK && aim->inputs) {
        ser_inputs_renumber(&inputs, aim->inputs, &plan);
        now.inputs = &inputs;
    }
    ser_replay_give_inputs(recording, now.inputs);
    if (status == SER_OK)
        status = try_often(recording, &now, &plan, result, error);
    if (status == SER_OK && wants_places(recording, &now, result))
        status = try_by_place(recording, &now, &plan, result, error);
    else if (status == SER_OK && was_cut_short(recording, &now, result))
        status = see_how_it_ends(recording, &now, &plan, result, error);
    recording->options.input_count = 0;
    ser_vector_free(&inputs);
    ser_plan_fini(&plan);
    return status;
}
