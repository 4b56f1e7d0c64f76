/* SPDX-License-Identifier: MIT */
/* That a byte is in the same variable iff it must be: cells against a model of every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "record/capture/spool.h"
#include "record/events/finish.h"
#include "record/events/survey.h"
#include "record/memory/cuts.h"
#include "record/memory/objects.h"
#include "trace/event.h"
#include "trace/reader.h"
#include "unit/random_below.h"

enum { BASE = 0x7000, BYTES = 0x3000, RUNS = 300, LENGTH = 400 };

static ser_record draw_record(void)
{
    static const uint8_t makers[] = {SER_RAW_ALLOCATE, SER_RAW_LOCAL, SER_RAW_MAP};
    ser_record record = {.site = (uint32_t)random_below(5)};
    uint64_t kind = random_below(10);
    uint32_t spread = random_below(2) ? 64 : BYTES - 600;
    record.object = BASE + random_below(spread);
    if (kind == 0) {
        record.op = makers[random_below(3)];
        record.value = random_below(3) ? 1 + random_below(100) : 1 + random_below(500);
    } else if (kind == 1) {
        record.op = SER_RAW_FREE;
        record.value = 1 + random_below(200);
    } else if (kind == 2) {
        record.op = SER_RAW_RANGE_WRITE;
        record.value = 1 + random_below(500);
    } else {
        record.op = SER_OP_READ;
        record.size = (uint8_t)(1 + random_below(16));
    }
    return record;
}

/* The model: which life of which byte, numbered; and the cell each was seen in. */
typedef struct byte_model {
    uint32_t life[BYTES + 1024]; /* object id, 0: the rest */
    ser_pairmap cells;           /* (life, byte) to its cell */
    ser_pairmap starts;          /* (life, byte) is where an access starts or ends */
    uint32_t next_life;
} byte_model;

static void live(byte_model *model, const ser_record *record)
{
    bool begins = record->op != SER_RAW_FREE;
    uint32_t life = begins ? ++model->next_life : 0;
    for (uint64_t i = 0; i < record->value; i++)
        model->life[record->object - BASE + i] = life;
}

static uint64_t size_of(const ser_record *record)
{
    return record->size ? record->size : record->value;
}

/* Ends of accesses, and of the parts that different objects have of them. */
static void mark_starts(byte_model *model, const ser_record *record)
{
    uint64_t first = record->object - BASE, end = first + size_of(record);
    for (uint64_t i = first; i < end; i++)
        if (i == first || model->life[i] != model->life[i - 1])
            ser_pairmap_add(&model->starts, model->life[i], i, 1);
    for (uint64_t i = first; i < end; i++)
        if (i + 1 == end || model->life[i] != model->life[i + 1])
            ser_pairmap_add(&model->starts, model->life[i], i + 1, 1);
}

typedef struct cell_checker {
    ser_objects objects;
    ser_record_survey *survey;
    uint32_t next_cell;
} cell_checker;

static void check_cell(byte_model *model, const ser_memory_object *object, uint64_t at,
                       uint64_t next, uint32_t variable)
{
    for (uint64_t byte = at; byte < next; byte++) {
        uint32_t life = model->life[byte - BASE];
        assert_int_equal(life, object->id);
        assert_int_equal(*ser_pairmap_add(&model->cells, life, byte, variable), variable);
        uint32_t starts = ser_pairmap_get(&model->starts, life, byte - BASE, 0);
        assert_int_equal(starts, byte == at); /* as few cells as can be */
    }
}

/* The cells that one look finds; where the last one ends. */
static uint64_t check_row(cell_checker *checker, byte_model *model, ser_memory_object *object,
                          uint64_t at, uint64_t end)
{
    ser_cells cells;
    assert_true(ser_cuts_cells(&checker->survey->cuts, object, at - object->base,
                               end - object->base, &cells));
    assert_true(cells.count > 0 && cells.starts[0] == at - object->base);
    for (size_t i = 0; i < cells.count; i++) {
        if (cells.variables[i] == 0)
            cells.variables[i] = ++checker->next_cell;
        check_cell(model, object, cells.starts[i] + object->base,
                   cells.starts[i + 1] + object->base, cells.variables[i]);
    }
    return cells.starts[cells.count] + object->base;
}

/* Walks over the cells of an access and compares each byte's with the model. */
static void check_cells(cell_checker *checker, byte_model *model, const ser_record *record)
{
    uint64_t at = record->object, end = at + size_of(record);
    while (at < end) {
        ser_stretch part = ser_objects_find(&checker->objects, at, end - at);
        ser_memory_object *object = ser_objects_at(&checker->objects, part.slot);
        assert_true(part.start == at && part.end > at && part.end <= end);
        while (at < part.end)
            at = check_row(checker, model, object, at, part.end);
    }
}

static void check_run(void)
{
    ser_record records[LENGTH];
    byte_model *first = ser_alloc(1, sizeof *first), *second = ser_alloc(1, sizeof *second);
    cell_checker *checker = ser_alloc(1, sizeof *checker);
    checker->survey = ser_record_survey_create();
    ser_objects_init(&checker->objects);
    for (size_t i = 0; i < LENGTH; i++) {
        records[i] = draw_record();
        bool access = records[i].op == SER_OP_READ || records[i].op == SER_RAW_RANGE_WRITE;
        if (access)
            mark_starts(first, &records[i]);
        else
            live(first, &records[i]);
    }
    ser_record_survey_add(checker->survey, records, LENGTH);
    second->starts = first->starts;
    for (size_t i = 0; i < LENGTH; i++) {
        bool access = records[i].op == SER_OP_READ || records[i].op == SER_RAW_RANGE_WRITE;
        if (access) {
            check_cells(checker, second, &records[i]);
        } else {
            live(second, &records[i]);
            ser_objects_apply(&checker->objects, &records[i]);
        }
    }
    ser_pairmap_fini(&second->starts);
    ser_pairmap_fini(&second->cells);
    ser_objects_fini(&checker->objects);
    ser_record_survey_destroy(checker->survey);
    free(checker);
    free(first);
    free(second);
}

static void test_cells_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        state_of_random = seed * UINT64_C(0x9e3779b97f4a7c15);
        check_run();
    }
}

/* --- the same all the way to a trace --------------------------------------- */

/* The events of one access: one for each place where a cell starts, each cell always the
 * same variable and no other. */
static void check_events(ser_reader *reader, byte_model *model, ser_pairmap *seen,
                         const ser_record *record)
{
    uint64_t first = record->object - BASE, end = first + size_of(record);
    for (uint64_t i = first; i < end; i++) {
        uint32_t life = model->life[i];
        ser_event event;
        size_t count;
        if (i != first && model->life[i - 1] == life &&
            !ser_pairmap_get(&model->starts, life, i, 0))
            continue;
        assert_int_equal(ser_reader_next(reader, &event, 1, &count, NULL), SER_OK);
        assert_int_equal(count, 1);
        uint32_t cell = event.object + 1;
        assert_int_equal(*ser_pairmap_add(&model->cells, life, i, cell), cell);
        uint32_t number = (uint32_t)seen->count;
        uint32_t *owner = ser_pairmap_add(seen, 0, cell, number);
        assert_int_equal(*ser_pairmap_add(seen, life + 1, i, *owner), *owner);
        bool last = true;
        for (uint64_t j = i + 1; j < end; j++)
            last &= model->life[j] == model->life[j - 1] &&
                    !ser_pairmap_get(&model->starts, model->life[j], j, 0);
        assert_int_equal(event.flags & SER_EVENT_JOINED,
                         record->size && !last ? SER_EVENT_JOINED : 0);
    }
}

static void write_trace(const char *spool_path, const char *trace_path, const ser_record *records)
{
    ser_spool *spool;
    ser_finish_options options = {.spool = spool_path, .trace = trace_path};
    ser_finish_result result;
    assert_int_equal(ser_spool_create(&spool, spool_path, NULL), SER_OK);
    assert_int_equal(ser_spool_put(spool, records, LENGTH, NULL), SER_OK);
    assert_int_equal(ser_spool_flush(spool, NULL), SER_OK);
    ser_spool_close(spool);
    assert_int_equal(ser_finish(&options, NULL, &result, NULL), SER_OK);
    ser_vector_free(&result.messages);
    unlink(spool_path);
}

static void check_trace(const ser_record *records, byte_model *model)
{
    char spool_path[64], trace_path[64];
    ser_reader *reader;
    ser_pairmap seen = {0};
    ser_event more;
    size_t count;
    snprintf(spool_path, sizeof spool_path, "/tmp/test_cells.%d.part", (int)getpid());
    snprintf(trace_path, sizeof trace_path, "/tmp/test_cells.%d.srt", (int)getpid());
    write_trace(spool_path, trace_path, records);
    assert_int_equal(ser_reader_open(&reader, trace_path, NULL, NULL), SER_OK);
    for (size_t i = 0; i < LENGTH; i++)
        if (records[i].op == SER_OP_READ || records[i].op == SER_RAW_RANGE_WRITE)
            check_events(reader, model, &seen, &records[i]);
        else
            live(model, &records[i]);
    assert_int_equal(ser_reader_next(reader, &more, 1, &count, NULL), SER_OK);
    assert_int_equal(count, 0);
    ser_reader_close(reader);
    ser_pairmap_fini(&seen);
    unlink(trace_path);
}

/* Few addresses, so that accesses come again, and what was found out about them is used. */
static void test_traces_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        ser_record records[LENGTH];
        byte_model *first = ser_alloc(1, sizeof *first), *second = ser_alloc(1, sizeof *second);
        state_of_random = seed * UINT64_C(0xd6e8feb86659fd93);
        for (size_t i = 0; i < LENGTH; i++) {
            bool again = i > 10 && random_below(2);
            records[i] = again ? records[i - 1 - random_below(10)] : draw_record();
            if (records[i].op == SER_OP_READ || records[i].op == SER_RAW_RANGE_WRITE)
                mark_starts(first, &records[i]);
            else
                live(first, &records[i]);
        }
        second->starts = first->starts;
        check_trace(records, second);
        ser_pairmap_fini(&second->starts);
        ser_pairmap_fini(&second->cells);
        free(first);
        free(second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_are_exact),
        cmocka_unit_test(test_traces_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
