/* SPDX-License-Identifier: MIT */
/*
 * Which kinds of blocks a mode of --atomic has, and the surveys of those that depend on the whole
 * trace. marking.c marks.
 */
#include "trace/blocks/blocks_internal.h"

#include "trace/blocks/lock_like.h"

static ser_blocks_mode mode_of(const char *spec)
{
    static const char *const words[] = {"markers", "locks",   "functions",
                                        "rounds",  "updates", "auto"};
    if (!spec)
        return SER_BLOCKS_MARKERS;
    for (int i = SER_BLOCKS_MARKERS; i <= SER_BLOCKS_AUTO; i++)
        if (strcmp(spec, words[i]) == 0)
            return (ser_blocks_mode)i;
    return SER_BLOCKS_NAMED;
}

ser_status ser_blocks_create(ser_blocks **blocks, const char *spec, const ser_symbols *symbols,
                             ser_error *error)
{
    *blocks = NULL;
    ser_blocks_mode wanted = mode_of(spec);
    ser_function_spec *names = NULL;
    if (wanted == SER_BLOCKS_NAMED) {
        ser_status status = ser_function_spec_read(&names, spec, error);
        if (status)
            return status;
    }
    ser_blocks *made = ser_alloc(1, sizeof *made);
    made->mode = wanted;
    made->by_locks = wanted == SER_BLOCKS_LOCKS || wanted == SER_BLOCKS_AUTO;
    made->by_calls =
        wanted != SER_BLOCKS_MARKERS && wanted != SER_BLOCKS_LOCKS && wanted != SER_BLOCKS_UPDATES;
    made->symbols = made->compounds.symbols = symbols;
    made->loops.compounds = &made->compounds;
    made->spec = names;
    if (ser_blocks_spec_wants_survey(spec)) {
        made->survey = ser_function_survey_create();
        made->checks = ser_checks_create(symbols);
        made->whole = ser_whole_create();
    }
    *blocks = made;
    return SER_OK;
}

void ser_blocks_destroy(ser_blocks *blocks)
{
    if (!blocks)
        return;
    ser_function_survey_destroy(blocks->survey);
    ser_compounds_fini(&blocks->compounds);
    ser_checks_destroy(blocks->checks);
    ser_whole_destroy(blocks->whole);
    ser_rounds_fini(&blocks->loops);
    ser_function_spec_destroy(blocks->spec);
    ser_vector_free(&blocks->atomic);
    ser_vector_free(&blocks->atomic_at);
    ser_vector_free(&blocks->threads);
    ser_vector_free(&blocks->tasks);
    ser_vector_free(&blocks->inside);
    ser_vector_free(&blocks->kinds);
    free(blocks);
}

bool ser_blocks_spec_wants_survey(const char *spec)
{
    ser_blocks_mode wanted = mode_of(spec);
    return wanted >= SER_BLOCKS_FUNCTIONS && wanted <= SER_BLOCKS_AUTO;
}

bool ser_blocks_spec_may_name_places(const char *spec)
{
    return mode_of(spec) == SER_BLOCKS_NAMED;
}

bool ser_blocks_wants_survey(const ser_blocks *blocks)
{
    if (blocks->mode < SER_BLOCKS_FUNCTIONS || blocks->mode > SER_BLOCKS_AUTO)
        return false;
    return blocks->rounds == 0 ||
           (blocks->rounds == 1 && ser_function_survey_saw_calls(blocks->survey));
}

bool ser_blocks_want_sites(const ser_blocks *blocks)
{
    return blocks->survey && blocks->mode != SER_BLOCKS_MARKERS &&
           ser_function_survey_saw_calls(blocks->survey);
}

/* Of the second round: what is smaller than a function. */
static void survey_parts(ser_blocks *blocks, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &events[i];
        bool is_shared = ser_op_is_access((ser_op)event->op) &&
                         ser_function_survey_is_shared(blocks->survey, event->object);
        bool changes = is_shared && !ser_function_survey_reads_constant(blocks->survey, event);
        bool is_semaphore = ser_function_survey_is_lock(blocks->survey, event);
        ser_event as_lock = is_semaphore ? ser_semaphore_as_lock(event) : *event;
        size_t acts = ser_checks_count(blocks->checks);
        if (blocks->mode != SER_BLOCKS_FUNCTIONS)
            ser_compounds_see(&blocks->compounds, event);
        if (blocks->mode == SER_BLOCKS_ROUNDS || blocks->mode == SER_BLOCKS_AUTO)
            ser_rounds_see(&blocks->loops, event,
                           is_shared &&
                               !ser_function_survey_reads_initialised(blocks->survey, event));
        if (blocks->mode == SER_BLOCKS_UPDATES || blocks->mode == SER_BLOCKS_AUTO)
            ser_checks_see(blocks->checks, event, is_shared, is_semaphore);
        if (blocks->mode == SER_BLOCKS_AUTO)
            ser_whole_see(blocks->whole, &as_lock, changes,
                          ser_checks_count(blocks->checks) > acts);
    }
}

bool ser_blocks_survey(ser_blocks *blocks, const ser_event *events, size_t count)
{
    if (blocks->rounds > 0) {
        ser_function_survey_calls(blocks->survey, events, count);
        survey_parts(blocks, events, count);
        return true;
    }
    ser_function_survey_sharing(blocks->survey, events, count);
    return !(blocks->mode == SER_BLOCKS_AUTO && ser_function_survey_saw_markers(blocks->survey));
}

void ser_blocks_end_survey(ser_blocks *blocks)
{
    bool is_second = blocks->rounds++ > 0;
    if (is_second) {
        ser_function_survey_finish(blocks->survey);
        ser_rounds_finish(&blocks->loops);
        blocks->compounds.any &= blocks->mode != SER_BLOCKS_ROUNDS;
        ser_checks_finish(blocks->checks);
        blocks->any_checks = ser_checks_count(blocks->checks) > 0;
        ser_whole_finish(blocks->whole);
    } else if (blocks->mode == SER_BLOCKS_AUTO && ser_function_survey_saw_markers(blocks->survey)) {
        blocks->mode = SER_BLOCKS_MARKERS;
    }
}

void ser_blocks_restart(ser_blocks *blocks)
{
    blocks->threads.count = blocks->inside.count = 0;
    blocks->in_step = false;
    blocks->reopening = 0;
    blocks->count = blocks->position = 0;
    blocks->kinds.count = 0;
    ser_rounds_restart(&blocks->loops);
}

uint64_t ser_blocks_count(const ser_blocks *blocks)
{
    return blocks->count;
}

ser_block_kind ser_blocks_kind(const ser_blocks *blocks, uint64_t block)
{
    return block < blocks->kinds.count ? (ser_block_kind)blocks->kinds.items[block]
                                       : SER_BLOCK_MARKED;
}

const ser_function_spec *ser_blocks_spec(const ser_blocks *blocks)
{
    return blocks->spec;
}
