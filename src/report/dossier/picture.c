/* SPDX-License-Identifier: MIT */
/*
 * An interleaving, executed: which write each read sees, and with which value. A value is given
 * only where it is certain. A thread that has read something else than in the recorded run may
 * write something else from then on, so that what it writes is not known any more; what reads
 * such a write is not known either.
 *
 * Main function: ser_dossier_draw. O(trace) the first time, then O(steps).
 */
#include <inttypes.h>
#include <stdio.h>

#include "bugs/naming.h"
#include "report/dossier/dossier.h"
#include "report/dossier/own_lines.h"

/* The last write of a variable, and its value. */
typedef struct content {
    uint32_t writer; /* 0: the initial value */
    bool is_known;
    bool may_differ; /* its thread had read something else */
    uint64_t value;
} content;

typedef struct machine {
    const ser_run *run;
    ser_picture *picture;
    content *variables;
    bool *torn;   /* by variable: see survey_values */
    bool *strays; /* by thread: it has read something else */
} machine;

/* Initial values are those that were read before the first write. Where a read had another
 * value than its write, the trace lacks a write: then only what was recorded is certain. */
static void survey_values(machine *work)
{
    const ser_run *run = work->run;
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i], *writer = &run->events[run->couple[i]];
        if (!ser_op_only_reads((ser_op)event->op) || !(event->flags & SER_EVENT_HAS_VALUE))
            continue;
        content *here = &work->variables[event->object];
        if (run->couple[i]) {
            work->torn[event->object] |=
                writer->flags & SER_EVENT_HAS_VALUE && writer->value != event->value;
            continue;
        }
        work->torn[event->object] |= here->is_known && here->value != event->value;
        here->is_known = true;
        here->value = event->value;
    }
}

static void read_variable(machine *work, ser_picture_step *step, const ser_event *event)
{
    const content *here = &work->variables[event->object];
    step->writer = here->writer;
    bool as_recorded = here->writer == work->run->couple[step->event];
    bool has_value = event->flags & SER_EVENT_HAS_VALUE && ser_op_only_reads((ser_op)event->op);
    if (as_recorded && has_value && !here->may_differ) {
        step->flags |= SER_STEP_HAS_VALUE;
        step->value = event->value;
    } else if (here->is_known && !work->torn[event->object]) {
        step->flags |= SER_STEP_HAS_VALUE;
        step->value = here->value;
    }
    if (as_recorded) {
        work->strays[event->thread] |= here->may_differ;
        return;
    }
    step->flags |= SER_STEP_CHANGED;
    if (has_value) {
        step->flags |= SER_STEP_HAD_VALUE;
        step->was = event->value;
    }
    bool same = has_value && here->is_known && here->value == event->value;
    work->strays[event->thread] |= !same || here->may_differ;
}

static void write_variable(machine *work, ser_picture_step *step, const ser_event *event)
{
    bool strays = work->strays[event->thread];
    bool is_known = event->flags & SER_EVENT_HAS_VALUE && !strays;
    work->variables[event->object] = (content){.writer = step->event,
                                               .is_known = is_known,
                                               .may_differ = strays,
                                               .value = is_known ? event->value : 0};
    step->flags &= (uint8_t)~SER_STEP_HAS_VALUE;
    step->value = is_known ? event->value : 0;
    if (is_known)
        step->flags |= SER_STEP_HAS_VALUE;
}

static void execute(machine *work, uint32_t number)
{
    const ser_run *run = work->run;
    const ser_event *event = &run->events[number];
    ser_op op = (ser_op)event->op;
    ser_picture_step step = {.event = number};
    if (run->block_of[number] && run->block_of[number] == work->picture->block + 1)
        step.flags |= SER_STEP_IN_BLOCK;
    if (ser_op_reads(op))
        read_variable(work, &step, event);
    if (ser_op_writes(op))
        write_variable(work, &step, event);
    ser_vector_push(&work->picture->steps, step);
}

static void mark(ser_picture *picture, const uint32_t *events, size_t count, uint8_t flag)
{
    for (size_t i = 0; i < picture->steps.count; i++)
        for (size_t k = 0; k < count; k++)
            if (picture->steps.items[i].event == events[k])
                picture->steps.items[i].flags |= flag;
}

static const ser_plain_names *names_of(ser_dossier *dossier, const ser_run *run)
{
    for (size_t i = 0; i < dossier->names.count; i++)
        if (dossier->names.items[i].run == run)
            return dossier->names.items[i].names;
    ser_dossier_names made = {run, ser_plain_names_create(run)};
    ser_vector_push(&dossier->names, made);
    return made.names;
}

static ser_status check_witness(const ser_run *run, const ser_dossier_witness *witness,
                                ser_error *error)
{
    bool good = !witness->block || (witness->block <= run->count && run->block_of[witness->block]);
    for (size_t i = 0; i < witness->order->count; i++)
        good &= witness->order->items[i] - 1 < run->count;
    for (size_t i = 0; i < witness->path_count; i++)
        good &= witness->path[i] - 1 < run->count;
    return good ? SER_OK : ser_fail(error, SER_INPUT, "the interleaving is not one of this trace");
}

/* --- the accesses, with values --------------------------------------------------- */

/* Traces have bits, not types. These can hardly be anything but a double of few digits: no address
 * has them, no number that people count, and hashes have more digits. NULL: they are none. */
static char *describe_real(uint64_t value)
{
    enum { FEW_DIGITS = 10, FIRST_EXPONENT = 1023 - 30, LAST_EXPONENT = 1023 + 50 };
    uint64_t exponent = value >> 52 & 0x7ff;
    double real, again;
    char *text = NULL;
    if (exponent < FIRST_EXPONENT || exponent > LAST_EXPONENT)
        return NULL;
    memcpy(&real, &value, sizeof real);
    if (asprintf(&text, "%.*g", FEW_DIGITS, real) < 0)
        ser_out_of_memory(0);
    again = strtod(text, NULL);
    if (memcmp(&again, &value, sizeof again) == 0)
        return text;
    free(text);
    return NULL;
}

char *ser_describe_value(uint64_t value)
{
    char *text = describe_real(value);
    int length;
    if (text)
        return text;
    if (value > UINT64_MAX - (UINT64_C(1) << 40))
        length = asprintf(&text, "%" PRId64, (int64_t)value);
    else if (value >> 40)
        length = asprintf(&text, "0x%" PRIx64, value);
    else if (value >> 31 == 1 && value > UINT32_MAX - (UINT32_C(1) << 24))
        length = asprintf(&text, "%" PRId32, (int32_t)(uint32_t)value);
    else
        length = asprintf(&text, "%" PRIu64, value);
    if (length < 0)
        ser_out_of_memory(0);
    return text;
}

static const char *keep_value(ser_dossier *dossier, bool is_known, uint64_t value)
{
    return is_known ? ser_dossier_keep(dossier, ser_describe_value(value)) : "";
}

static ser_entry_access make_access(ser_dossier *dossier, const ser_picture *picture,
                                    const ser_picture_step *step)
{
    const ser_event *event = &picture->run->events[step->event];
    const ser_symbols *symbols = picture->run->symbols;
    ser_op op = (ser_op)event->op;
    const ser_run *run = picture->run;
    uint32_t own = ser_own_event(run, step->event);
    const char *function = ser_bug_function(symbols, &run->events[own ? own : step->event]);
    return (ser_entry_access){
        .thread = ser_symbols_name(symbols, SER_SPACE_THREAD, event->thread),
        .operation = ser_op_verb(op),
        .variable = ser_plain_name(picture->names, ser_op_space(op), event->object),
        .recorded = ser_symbols_name(symbols, ser_op_space(op), event->object),
        .function = function,
        .location = ser_dossier_keep(dossier, ser_own_location(run, picture->names, step->event)),
        .value = keep_value(dossier, step->flags & SER_STEP_HAS_VALUE, step->value),
        .was = keep_value(dossier, step->flags & SER_STEP_HAD_VALUE, step->was),
        .in_block = step->flags & SER_STEP_IN_BLOCK,
        .changed = step->flags & SER_STEP_CHANGED,
        .is_write = ser_op_writes(op),
    };
}

/* The path's events in the order in which they happen. */
static void replace_accesses(ser_dossier *dossier, ser_entry *entry)
{
    entry->accesses.count = 0;
    for (size_t i = 0; i < entry->picture.steps.count; i++)
        if (entry->picture.steps.items[i].flags & SER_STEP_ON_PATH)
            ser_vector_push(&entry->accesses,
                            make_access(dossier, &entry->picture, &entry->picture.steps.items[i]));
}

ser_status ser_picture_make(ser_picture *picture, const ser_run *run, const ser_plain_names *names,
                            const ser_dossier_witness *witness, ser_error *error)
{
    ser_status status = check_witness(run, witness, error);
    if (status != SER_OK)
        return status;
    *picture = (ser_picture){
        .run = run,
        .names = names,
        .block = witness->block ? run->block_of[witness->block] - 1 : SER_NO_OBJECT,
    };
    uint32_t variables = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE);
    machine work = {.run = run,
                    .picture = picture,
                    .variables = ser_alloc(variables + 1, sizeof(content)),
                    .torn = ser_alloc(variables + 1, sizeof(bool)),
                    .strays = ser_alloc(run->threads.count + 1, sizeof(bool))};
    survey_values(&work);
    for (size_t i = 0; i < witness->order->count; i++)
        execute(&work, witness->order->items[i]);
    free(work.variables);
    free(work.torn);
    free(work.strays);
    mark(picture, witness->path, witness->path_count, SER_STEP_ON_PATH);
    for (size_t i = 0; i < witness->path_count; i++)
        ser_vector_push(&picture->path, witness->path[i]);
    return SER_OK;
}

void ser_picture_fini(ser_picture *picture)
{
    ser_vector_free(&picture->steps);
    ser_vector_free(&picture->path);
}

ser_status ser_dossier_draw(ser_dossier *dossier, size_t index, const ser_run *run,
                            const ser_dossier_witness *witness, ser_error *error)
{
    ser_entry *entry = &dossier->entries.items[index];
    ser_status status =
        ser_picture_make(&entry->picture, run, names_of(dossier, run), witness, error);
    if (status == SER_OK && witness->path_count)
        replace_accesses(dossier, entry);
    return status;
}
