/* SPDX-License-Identifier: MIT */
/*
 * text_task.h - tasks written as one line of text, for tests.
 *
 * The text is a run as it was observed, tokens separated by spaces. A token is a
 * thread (a digit), an operation (a letter) and mostly an operand (a letter):
 *
 *     1rx 1wx 1ux     thread 1 reads, writes, reads and writes x
 *     1am 1lm         acquires and releases the lock m; shared: 1sm 1em
 *     1tm             fails to acquire m
 *     1n              does nothing of its own
 *     1( 1)           the block in question; 2{ 2} another block
 *     @1am @1sm       thread 1 acquired m before the task starts
 *
 * Behind it may stand, any number of times, `<4` and `!4` (the fourth step of the text
 * is among its needs, in its clear list), `?` (its source can never happen) and `+` (it is
 * one move with the thread's next step; lists that name it mean the last of the move). Steps
 * are counted from 1, without brackets and @, and have that number as their event.
 * Reads and tests get the source they have in the observed run.
 *
 * Without more, the model is avp. Reads that may change: `~2` (the limit is the second step behind
 * its move, or the end if there is none), `~$` (the end), `~-` (none); `=4` and `=@` (it accepts
 * the fourth step of the text, what was there at the start); `^` (a read-modify-write that
 * writes anyway, as all of its move must). `&`: the step, the first of a move, is unspoiled. `/4`:
 * it joins the thread of the fourth step.
 */
#ifndef SER_TESTS_TEXT_TASK_H
#define SER_TESTS_TEXT_TASK_H

#include <stdio.h>

#include "predict/task/task.h"

enum { TEXT_TASK_STEPS = 64, TEXT_TASK_THREADS = 10, TEXT_TASK_NAMES = 26 };

typedef struct text_step {
    ser_task_step step;
    const char *lists; /* text of needs and clear */
} text_step;

typedef struct text_task_reader {
    text_step steps[TEXT_TASK_STEPS]; /* as observed */
    uint32_t count;
    uint32_t number[TEXT_TASK_STEPS]; /* of each in the task */
    uint32_t transaction[TEXT_TASK_THREADS];
    uint32_t move[TEXT_TASK_THREADS]; /* transaction of a step that is joined to the next */
    bool in_block[TEXT_TASK_THREADS];
    uint32_t last_write[TEXT_TASK_NAMES], holder[TEXT_TASK_NAMES]; /* index, or START */
    uint32_t start_holder[TEXT_TASK_NAMES];
    bool start_sharer[TEXT_TASK_NAMES][TEXT_TASK_THREADS];
    uint32_t threads, locks, variables;
} text_task_reader;

static inline void text_task_most(uint32_t *most, uint32_t index)
{
    if (index + 1 > *most)
        *most = index + 1;
}

static inline void text_task_access(text_task_reader *reader, ser_task_step *step, char letter)
{
    uint32_t variable = (uint32_t)(letter - 'a');
    step->variable = variable;
    text_task_most(&reader->variables, variable);
    if (step->access != SER_ACCESS_WRITE)
        step->source = reader->last_write[variable];
    if (step->access != SER_ACCESS_READ)
        reader->last_write[variable] = reader->count;
}

static inline void text_task_action(text_task_reader *reader, ser_task_step *step, char letter)
{
    uint32_t lock = (uint32_t)(letter - 'a');
    step->lock = lock;
    text_task_most(&reader->locks, lock);
    if (step->action == SER_LOCK_TEST)
        step->source = reader->holder[lock];
    else if (step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED)
        reader->holder[lock] = reader->count;
}

static inline void text_task_step(text_task_reader *reader, const char *token)
{
    static const char accesses[] = " rwu", actions[] = " alset";
    uint32_t thread = (uint32_t)(token[0] - '0');
    text_step *item = &reader->steps[reader->count];
    *item = (text_step){.step = {.event = reader->count + 1,
                                 .thread = thread,
                                 .variable = SER_TASK_NONE,
                                 .lock = SER_TASK_NONE,
                                 .source = SER_TASK_NONE,
                                 .limit = SER_TASK_NONE,
                                 .ends = SER_TASK_NONE,
                                 .in_block = reader->in_block[thread],
                                 .transaction = reader->transaction[thread]}};
    if (!item->step.transaction)
        item->step.transaction = reader->move[thread] ? reader->move[thread] : 1000 + reader->count;
    item->step.joined = memchr(token, '+', strcspn(token, " ")) != NULL;
    reader->move[thread] = item->step.joined ? item->step.transaction : 0;
    const char *access = strchr(accesses, token[1]), *action = strchr(actions, token[1]);
    if (access) {
        item->step.access = (uint8_t)(access - accesses);
        text_task_access(reader, &item->step, token[2]);
    } else if (action) {
        item->step.action = (uint8_t)(action - actions);
        text_task_action(reader, &item->step, token[2]);
    }
    item->lists = token + (token[1] == 'n' ? 2 : 3);
    text_task_most(&reader->threads, thread);
    reader->count++;
}

static inline void text_task_start(text_task_reader *reader, const char *token)
{
    uint32_t thread = (uint32_t)(token[0] - '0'), lock = (uint32_t)(token[2] - 'a');
    text_task_most(&reader->threads, thread);
    text_task_most(&reader->locks, lock);
    if (token[1] == 'a')
        reader->start_holder[lock] = thread;
    else
        reader->start_sharer[lock][thread] = true;
}

static inline void text_task_token(text_task_reader *reader, const char *token)
{
    uint32_t thread = (uint32_t)(token[0] - '0');
    if (token[0] == '@') {
        text_task_start(reader, token + 1);
    } else if (token[1] == '(' || token[1] == '{') {
        reader->in_block[thread] = token[1] == '(';
        reader->transaction[thread] = reader->count + 1;
    } else if (token[1] == ')' || token[1] == '}') {
        reader->in_block[thread] = false;
        reader->transaction[thread] = 0;
    } else {
        text_task_step(reader, token);
    }
}

static inline uint32_t text_task_number(const text_task_reader *reader, uint32_t index)
{
    return index < SER_TASK_NONE ? reader->number[index] : index;
}

static inline uint32_t text_task_next(const text_task_reader *reader, uint32_t index)
{
    uint32_t thread = reader->steps[index].step.thread;
    do
        index++;
    while (reader->steps[index].step.thread != thread);
    return index;
}

/* Appends a step of the text to the lists, the last one of its move. */
static inline void text_task_push(const text_task_reader *reader, ser_task *task, uint32_t index)
{
    while (reader->steps[index].step.joined)
        index = text_task_next(reader, index);
    ser_vector_push(&task->lists, reader->number[index]);
}

static inline ser_step_list text_task_list(const text_task_reader *reader, ser_task *task,
                                           const char *text, char kind)
{
    ser_step_list list = {(uint32_t)task->lists.count, 0};
    for (; *text && *text != ' '; text++) {
        if (*text != kind)
            continue;
        text_task_push(reader, task, (uint32_t)strtoul(text + 1, NULL, 10) - 1);
        list.count++;
    }
    return list;
}

/* Adds to the needs, which are the newest list, the end of a thread that the step joins. */
static inline void text_task_join(const text_task_reader *reader, ser_task *task,
                                  ser_task_step *step, const char *text)
{
    const char *at = memchr(text, '/', strcspn(text, " "));
    uint32_t joined = at ? (uint32_t)strtoul(at + 1, NULL, 10) - 1 : 0, last = joined;
    if (!at || reader->steps[joined].step.thread == step->thread)
        return;
    for (uint32_t i = 0; i < reader->count; i++)
        if (reader->steps[i].step.thread == reader->steps[joined].step.thread)
            last = i;
    text_task_push(reader, task, last);
    step->needs.count++;
    step->ends = reader->number[last];
}

static inline int text_task_ascending(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static inline bool text_task_is_write_of(const text_task_reader *reader, uint32_t index,
                                         uint32_t variable)
{
    const ser_task_step *write = &reader->steps[index].step;
    return write->access >= SER_ACCESS_WRITE && write->variable == variable;
}

/* Writes of other variables are left out. */
static inline ser_step_list text_task_accepts(const text_task_reader *reader, ser_task *task,
                                              const ser_task_step *step, const char *text)
{
    ser_step_list list = {(uint32_t)task->lists.count, 0};
    for (; *text && *text != ' '; text++) {
        uint32_t index = (uint32_t)strtoul(text + 1, NULL, 10) - 1;
        if (*text != '=' ||
            (text[1] != '@' && !text_task_is_write_of(reader, index, step->variable)))
            continue;
        ser_vector_push(&task->lists, text[1] == '@' ? SER_TASK_START : reader->number[index]);
        list.count++;
    }
    if (list.count)
        qsort(task->lists.items + list.first, list.count, sizeof(uint32_t), text_task_ascending);
    return list;
}

static inline void text_task_add(const text_task_reader *reader, ser_task *task,
                                 const text_step *item)
{
    ser_task_step step = item->step;
    uint32_t number = (uint32_t)task->steps.count;
    size_t length = strcspn(item->lists, " ");
    step.source =
        memchr(item->lists, '?', length) ? SER_TASK_NEVER : text_task_number(reader, step.source);
    step.needs = text_task_list(reader, task, item->lists, '<');
    text_task_join(reader, task, &step, item->lists);
    step.accepts = text_task_accepts(reader, task, &step, item->lists);
    step.writes_anyway = memchr(item->lists, '^', length) != NULL;
    step.unspoiled = memchr(item->lists, '&', length) != NULL;
    task->has_unspoiled |= step.unspoiled;
    task->may_change |= strcspn(item->lists, "~=^&/") < length;
    step.clear = text_task_list(reader, task, item->lists, '!');
    if (step.in_block) {
        task->block_thread = step.thread;
        if (step.access != SER_ACCESS_NONE) {
            if (task->first_block_step == SER_TASK_NONE)
                task->first_block_step = number;
            task->last_block_step = number;
        }
    }
    task->has_moves |= step.joined;
    ser_vector_push(&task->steps, step);
}

static inline void text_task_add_locks(const text_task_reader *reader, ser_task *task)
{
    ser_vector_extend(&task->locks, reader->locks);
    for (uint32_t lock = 0; lock < reader->locks; lock++) {
        task->locks.items[lock].holder = reader->start_holder[lock];
        for (uint32_t thread = 0; thread < reader->threads; thread++)
            if (reader->start_sharer[lock][thread])
                ser_vector_push(&task->locks.items[lock].sharers, thread);
    }
}

/* As in the model avp, who breaks stops behind the move, if nothing else is said. */
static inline uint32_t text_task_limit(const ser_task *task, uint32_t number, const char *text)
{
    const ser_task_step *step = &task->steps.items[number];
    const ser_task_thread *thread = &task->threads.items[step->thread];
    uint32_t next = ser_task_move_end(task, number), end = thread->first + thread->count;
    const char *at = memchr(text, '~', strcspn(text, " "));
    if (step->source == SER_TASK_NONE || (at && at[1] == '-'))
        return SER_TASK_NONE;
    if (!at)
        return next;
    uint32_t limit = at[1] == '$' ? end : next + (uint32_t)strtoul(at + 1, NULL, 10) - 1;
    return limit < end ? ser_task_move_first(task, limit) : end;
}

/* To be destroyed with ser_task_destroy. */
static inline ser_task *text_task(const char *text)
{
    text_task_reader reader = {0};
    for (int i = 0; i < TEXT_TASK_NAMES; i++) {
        reader.last_write[i] = reader.holder[i] = SER_TASK_START;
        reader.start_holder[i] = SER_TASK_NONE;
    }
    for (const char *token = text; *token; token += strspn(token, " ")) {
        text_task_token(&reader, token);
        token += strcspn(token, " ");
    }
    ser_task *task = ser_alloc(1, sizeof *task);
    task->variables = reader.variables;
    task->first_block_step = task->last_block_step = SER_TASK_NONE;
    uint32_t number = 0;
    for (uint32_t thread = 0; thread < reader.threads; thread++) {
        ser_task_thread range = {number, 0};
        for (uint32_t i = 0; i < reader.count; i++)
            if (reader.steps[i].step.thread == thread)
                reader.number[i] = number++;
        range.count = number - range.first;
        ser_vector_push(&task->threads, range);
    }
    for (uint32_t thread = 0; thread < reader.threads; thread++)
        for (uint32_t i = 0; i < reader.count; i++)
            if (reader.steps[i].step.thread == thread)
                text_task_add(&reader, task, &reader.steps[i]);
    text_task_add_locks(&reader, task);
    for (uint32_t i = 0; i < reader.count; i++)
        task->steps.items[reader.number[i]].limit =
            text_task_limit(task, reader.number[i], reader.steps[i].lists);
    return task;
}

#endif
