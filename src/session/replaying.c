/* SPDX-License-Identifier: MIT */
#include "session/replaying.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "session/loaded.h"
#include "witness/checker.h"

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

/* The event of the replay with which the operation begins that the block begins with; 0
 * if there is none. */
static uint32_t find_block(const ser_replay_aim *aim, const ser_plan *plan, const ser_run *replay)
{
    uint32_t original = aim->run->events[aim->block].thread, thread;
    if (!ser_run_find_thread(replay, aim->run->threads.items[original].number, &thread))
        return 0;
    uint32_t found = find_operation(replay, thread, plan->numbers[aim->block]);
    return found && (replay->events[found].flags & SER_EVENT_OPENS) ? found : 0;
}

/* The recorded order of the replay must be a witness. */
static bool shows_violation(const ser_replay_aim *aim, const ser_plan *plan, const ser_run *replay)
{
    uint32_t block = find_block(aim, plan, replay);
    ser_event_list order = {0};
    ser_witness_facts facts = {0};
    ser_error ignored;
    if (!block)
        return false;
    for (uint32_t i = 1; i <= replay->count; i++)
        if (ser_op_takes_part((ser_op)replay->events[i].op))
            ser_vector_push(&order, i);
    ser_checker *checker = ser_checker_create(replay->events, replay->count, NULL);
    ser_status status =
        ser_checker_check(checker, block, false, order.items, order.count, &facts, &ignored);
    ser_checker_destroy(checker);
    ser_witness_facts_fini(&facts);
    ser_vector_free(&order);
    return status == SER_OK;
}

static ser_status judge(const ser_replay_aim *aim, const ser_plan *plan, ser_replay_result *result,
                        ser_error *error)
{
    const ser_source_settings settings = {
        .verb = "look at", .path = aim->trace, .reading = aim->reading};
    ser_loaded replay;
    ser_status status = ser_loaded_make(&replay, &settings, error);
    if (status == SER_OK && shows_violation(aim, plan, replay.run)) {
        result->verdict = SER_REPLAY_SHOWN;
    } else if (status == SER_OK) {
        result->verdict = SER_REPLAY_NOT_SHOWN;
        snprintf(result->reason, sizeof result->reason,
                 "the schedule was followed, but the block was not violated");
    }
    ser_loaded_close(&replay);
    return status;
}

/* --- attempts ------------------------------------------------------------- */

static void note_stop(ser_replay_result *result)
{
    result->verdict = SER_REPLAY_DIVERGED;
    result->event = 0;
    snprintf(result->reason, sizeof result->reason, "%s before the schedule was followed",
             ser_was_interrupted() ? "interrupted" : "the budget was used up");
}

static void note_divergence(const ser_follower *follower, const ser_record_outcome *outcome,
                            ser_replay_result *result)
{
    result->verdict = SER_REPLAY_DIVERGED;
    result->event = follower->event;
    if (result->stopped)
        note_stop(result);
    else if (outcome->overran)
        snprintf(result->reason, sizeof result->reason,
                 "the program exceeded its time limit (--run-limit) and was ended");
    else
        snprintf(result->reason, sizeof result->reason, "%s",
                 follower->diverged ? follower->reason
                                    : "the program ended before the schedule did");
}

static void set_observer(ser_record_options *options, const ser_replay_aim *aim,
                         ser_follower *follower)
{
    const ser_replay_watcher *watcher = aim->watcher;
    options->look = watcher ? watcher->look : ser_follower_look;
    options->is_done = watcher ? watcher->is_done : ser_follower_is_done;
    options->context = watcher ? watcher->context : follower;
    options->step_limit = watcher ? watcher->begin(watcher->context, follower, aim) : 0;
}

static ser_status attempt(ser_recording *recording, const ser_replay_aim *aim, const ser_plan *plan,
                          ser_follower *follower, ser_error *error)
{
    ser_record_options *options = &recording->options;
    ser_follower_init(follower, plan);
    options->parallel = false;
    options->turns = plan->turns.items;
    options->turn_count = plan->turns.count;
    options->output = aim->output;
    options->grace = aim->grace;
    set_observer(options, aim, follower);
    ser_status status = ser_recording_run_quietly(recording, aim->trace, error);
    options->turn_count = 0;
    options->output = NULL;
    options->look = NULL;
    options->is_done = NULL;
    options->step_limit = 0;
    if (aim->watcher)
        aim->watcher->end(aim->watcher->context);
    return status;
}

static ser_status try_once(ser_recording *recording, const ser_replay_aim *aim,
                           const ser_plan *plan, ser_replay_result *result, ser_error *error)
{
    ser_follower follower;
    const ser_record_outcome *outcome = &recording->outcome;
    ser_status status = attempt(recording, aim, plan, &follower, error);
    result->attempts++;
    result->status = outcome->status;
    result->signal = outcome->signal;
    result->deadlock = outcome->deadlock;
    result->missing_inputs = follower.missing_inputs;
    bool stopped = outcome->interrupted || outcome->out_of_time;
    result->out_of_grace = (outcome->dismissed || outcome->overran || stopped) && follower.replayed;
    result->stopped = stopped && !follower.replayed;
    if (status == SER_UNDECIDED)
        status = SER_OK; /* it was ended so soon that there is not even a trace */
    if (status == SER_OK && follower.replayed)
        status = judge(aim, plan, result, error);
    else if (status == SER_OK)
        note_divergence(&follower, outcome, result);
    ser_follower_fini(&follower);
    return status;
}

void ser_replay_give_inputs(ser_recording *recording, const ser_input_list *inputs)
{
    recording->options.inputs = inputs ? inputs->items : NULL;
    recording->options.input_count = inputs ? inputs->count : 0;
}

/* Also if the signal came between two attempts. */
static bool is_stopped(ser_replay_result *result)
{
    if (!result->stopped && (ser_was_interrupted() || ser_should_stop())) {
        result->stopped = true;
        note_stop(result);
    }
    return result->stopped;
}

/* What the program was told may be what leads it astray: it may ask the system about the
 * process number that it was given. So the last of several attempts is without. */
static ser_status try_often(ser_recording *recording, const ser_replay_aim *aim,
                            const ser_plan *plan, ser_replay_result *result, ser_error *error)
{
    ser_status status = SER_OK;
    while (status == SER_OK && result->verdict != SER_REPLAY_SHOWN &&
           result->attempts < aim->attempts && !is_stopped(result)) {
        if (result->attempts > 0 && result->attempts + 1 == aim->attempts)
            recording->options.input_count = 0;
        status = try_once(recording, aim, plan, result, error);
    }
    return status;
}

ser_status ser_replay(ser_recording *recording, const ser_replay_aim *aim,
                      ser_replay_result *result, ser_error *error)
{
    ser_plan plan;
    *result = (ser_replay_result){.verdict = SER_REPLAY_DIVERGED};
    ser_status status = ser_plan_make(&plan, aim->run, aim->order->items, aim->order->count, error);
    ser_replay_give_inputs(recording, aim->inputs);
    if (status == SER_OK)
        status = try_often(recording, aim, &plan, result, error);
    recording->options.input_count = 0;
    ser_plan_fini(&plan);
    return status;
}
