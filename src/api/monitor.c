/* SPDX-License-Identifier: MIT */
/*
 * The public monitor: the numbers a program uses for its threads and objects are
 * turned into dense ones, the event goes through the same validation and block
 * marking as one that is read from a file, and then to an engine.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/vector.h"
#include "monitor/engine.h"
#include "trace/blocks/blocks.h"
#include "trace/symbols.h"
#include "trace/validate/validate.h"
#include <seriatim/seriatim.h>

#define SER_X(symbol, name, ...)                                                                   \
    static_assert(SERIATIM_##symbol == (int)SER_OP_##symbol,                                       \
                  "the public operations are the internal ones");
SER_OPERATIONS(SER_X)
#undef SER_X
static_assert(SERIATIM_VIOLATION == (int)SER_VIOLATION && SERIATIM_INPUT == (int)SER_INPUT,
              "the public results are the internal ones");

struct seriatim_monitor {
    ser_names *numbers[SER_SPACE_COUNT]; /* the program's numbers, eight bytes each */
    ser_symbols *symbols;                /* the same as text, for complaints */
    ser_validator *validator;
    ser_blocks *blocks;
    const ser_engine *engine;
    void *state; /* the engine's */
    uint64_t events;
    SER_VECTOR(seriatim_violation) violations;
};

/* The dense number of one of the program's numbers. Both tables are filled in
 * the same order, so that they agree. */
static uint32_t number_of(seriatim_monitor *monitor, ser_space space, uint64_t given)
{
    ser_names *numbers = monitor->numbers[space];
    uint32_t known = ser_names_count(numbers);
    uint32_t number = ser_names_add(numbers, (const char *)&given, sizeof given);
    if (number == known) {
        char text[32];
        int length = snprintf(text, sizeof text, "%" PRIu64, given);
        ser_check(ser_symbols_add(monitor->symbols, space, text, (size_t)length) == number);
    }
    return number;
}

static uint64_t given_thread(const seriatim_monitor *monitor, uint32_t thread)
{
    uint64_t given;
    memcpy(&given, ser_names_text(monitor->numbers[SER_SPACE_THREAD], thread), sizeof given);
    return given;
}

static const seriatim_transaction *copy_cycle(const seriatim_monitor *monitor,
                                              const ser_violation *violation)
{
    if (!violation->cycle)
        return NULL;
    seriatim_transaction *copy = ser_alloc(violation->cycle_length, sizeof *copy);
    for (size_t i = 0; i < violation->cycle_length; i++) {
        const ser_transaction *from = &violation->cycle[i];
        copy[i] =
            (seriatim_transaction){given_thread(monitor, from->thread), from->first, from->last};
    }
    return copy;
}

static bool remember_violation(void *context, const ser_violation *violation)
{
    seriatim_monitor *monitor = context;
    seriatim_violation found = {
        .event = violation->event,
        .thread = given_thread(monitor, violation->thread),
        .block = violation->block,
        .cycle = copy_cycle(monitor, violation),
        .cycle_length = violation->cycle ? violation->cycle_length : 0,
    };
    ser_vector_push(&monitor->violations, found);
    return true;
}

seriatim_monitor *seriatim_monitor_create(const char *engine_name, const char *atomic)
{
    const ser_engine *engine = engine_name ? ser_engine_by_name(engine_name) : ser_engines[0];
    const char *mode = atomic ? atomic : "markers";
    if (!engine || (strcmp(mode, "markers") != 0 && strcmp(mode, "locks") != 0))
        return NULL;

    seriatim_monitor *monitor = ser_alloc(1, sizeof *monitor);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        monitor->numbers[space] = ser_names_create();
    monitor->symbols = ser_symbols_create();
    monitor->validator = ser_validator_create(monitor->symbols, true);
    ser_status status = ser_blocks_create(&monitor->blocks, mode, monitor->symbols, NULL);
    ser_check(status == SER_OK);
    monitor->engine = engine;
    monitor->state = engine->create(&(ser_engine_config){remember_violation, monitor});
    return monitor;
}

void seriatim_monitor_destroy(seriatim_monitor *monitor)
{
    if (!monitor)
        return;
    monitor->engine->destroy(monitor->state);
    ser_blocks_destroy(monitor->blocks);
    ser_validator_destroy(monitor->validator);
    ser_symbols_destroy(monitor->symbols);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_names_destroy(monitor->numbers[space]);
    for (size_t i = 0; i < monitor->violations.count; i++)
        free((void *)monitor->violations.items[i].cycle);
    ser_vector_free(&monitor->violations);
    free(monitor);
}

static ser_event make_event(seriatim_monitor *monitor, uint64_t thread, ser_op op, uint64_t object)
{
    bool without = object == SERIATIM_NO_OBJECT;
    return (ser_event){
        .thread = number_of(monitor, SER_SPACE_THREAD, thread),
        .object = without ? SER_NO_OBJECT : number_of(monitor, ser_op_space(op), object),
        .site = SER_NO_SITE,
        .op = (uint8_t)op,
    };
}

int seriatim_monitor_event(seriatim_monitor *monitor, uint64_t thread, seriatim_op op,
                           uint64_t object)
{
    if ((unsigned)op >= SER_OP_COUNT ||
        (object == SERIATIM_NO_OBJECT && !ser_op_may_lack_operand((ser_op)op)))
        return SERIATIM_USAGE;
    ser_event event = make_event(monitor, thread, (ser_op)op, object);
    uint64_t ignored = ser_validator_dropped(monitor->validator);
    size_t found = monitor->violations.count, good;

    monitor->events++;
    ser_validator_check(monitor->validator, &event, 1, monitor->events, &good, NULL);
    ser_blocks_mark(monitor->blocks, &event, 1);
    monitor->engine->feed(monitor->state, &event, 1, monitor->events);
    if (ser_validator_dropped(monitor->validator) > ignored)
        return SERIATIM_INPUT;
    return monitor->violations.count > found ? SERIATIM_VIOLATION : SERIATIM_OK;
}

size_t seriatim_monitor_violation_count(const seriatim_monitor *monitor)
{
    return monitor->violations.count;
}

const seriatim_violation *seriatim_monitor_violation(const seriatim_monitor *monitor, size_t index)
{
    return index < monitor->violations.count ? &monitor->violations.items[index] : NULL;
}

uint64_t seriatim_monitor_ignored(const seriatim_monitor *monitor)
{
    return ser_validator_dropped(monitor->validator);
}

const char *seriatim_monitor_complaint(const seriatim_monitor *monitor)
{
    return ser_validator_first_complaint(monitor->validator);
}

const char *seriatim_version(void)
{
    return SER_VERSION;
}

int seriatim_version_number(void)
{
    return SERIATIM_VERSION_NUMBER;
}
