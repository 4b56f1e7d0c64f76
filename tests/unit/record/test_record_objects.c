/* SPDX-License-Identifier: MIT */
/* Which object has which bytes, and that a byte is in the same variable iff it must be. */
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

static ser_memory_object *apply(ser_objects *objects, uint8_t op, uint64_t base, uint64_t size)
{
    return ser_objects_apply(objects,
                             &(ser_record){.op = op, .object = base, .value = size, .site = 1});
}

static uint32_t id_at(ser_objects *objects, uint64_t address)
{
    ser_stretch found = ser_objects_find(objects, address, 1);
    return ser_objects_at(objects, found.slot)->id;
}

static void test_a_block_has_its_bytes_until_another_gets_them(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    assert_int_equal(id_at(objects, 0x1000), 0);
    assert_int_equal(apply(objects, SER_RAW_ALLOCATE, 0x1000, 24)->id, 1);
    assert_int_equal(id_at(objects, 0xfff), 0);
    assert_int_equal(id_at(objects, 0x1000), 1);
    assert_int_equal(id_at(objects, 0x1017), 1);
    assert_int_equal(id_at(objects, 0x1018), 0);
    apply(objects, SER_RAW_FREE, 0x1000, 0);
    assert_int_equal(id_at(objects, 0x1000), 1);
    assert_int_equal(apply(objects, SER_RAW_ALLOCATE, 0x1000, 24)->id, 2);
    assert_int_equal(id_at(objects, 0x1000), 2);
    ser_objects_fini(objects);
    free(objects);
}

static void test_the_latest_object_has_the_bytes(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    apply(objects, SER_RAW_LOCAL, 0x2000, 32);
    apply(objects, SER_RAW_LOCAL, 0x2008, 8);
    assert_int_equal(id_at(objects, 0x2007), 1);
    assert_int_equal(id_at(objects, 0x2008), 2);
    assert_int_equal(id_at(objects, 0x2010), 1);
    apply(objects, SER_RAW_LOCAL, 0x1ff0, 0x40); /* covers both: they end */
    assert_int_equal(id_at(objects, 0x2008), 3);
    assert_int_equal(objects->free_slots.count, 2);
    apply(objects, SER_RAW_LOCAL, 0x2fff, 2); /* over the border of a page */
    assert_int_equal(id_at(objects, 0x2fff), 4);
    assert_int_equal(id_at(objects, 0x3000), 4);
    assert_int_equal(id_at(objects, 0x3001), 0);
    ser_objects_fini(objects);
    free(objects);
}

/* An object that takes exactly the bytes of another takes its place, but not its name. */
static void test_an_object_takes_the_place_of_its_equal(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    apply(objects, SER_RAW_LOCAL, 0x2000, 16);
    ser_stretch found = ser_objects_find(objects, 0x2000, 16);
    assert_true(ser_objects_is_still(objects, found.slot, 1, 0x2000));
    assert_int_equal(apply(objects, SER_RAW_LOCAL, 0x2000, 16)->id, 2);
    assert_false(ser_objects_is_still(objects, found.slot, 1, 0x2000));
    assert_int_equal(id_at(objects, 0x2008), 2);
    apply(objects, SER_RAW_LOCAL, 0x2008, 16); /* takes a half */
    assert_int_equal(apply(objects, SER_RAW_LOCAL, 0x2000, 16)->id, 4);
    assert_int_equal(id_at(objects, 0x2008), 4);
    assert_int_equal(id_at(objects, 0x2010), 3);
    apply(objects, SER_RAW_FREE, 0x2000, 16);
    assert_int_equal(id_at(objects, 0x2008), 0);
    assert_int_equal(apply(objects, SER_RAW_LOCAL, 0x2000, 16)->id, 5);
    assert_int_equal(id_at(objects, 0x2008), 5);
    ser_objects_fini(objects);
    free(objects);
}

static void test_large_objects(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    const uint64_t base = 0x100000000, huge = UINT64_C(1) << 40;
    ser_objects_init(objects);
    apply(objects, SER_RAW_LOCAL, base + 0x5000, 8);
    apply(objects, SER_RAW_MAP, base, huge);
    assert_int_equal(id_at(objects, base + 0x5000), 2);
    assert_int_equal(id_at(objects, base + huge - 1), 2);
    assert_int_equal(id_at(objects, base + huge), 0);
    apply(objects, SER_RAW_LOCAL, base + 0x6000, 8);
    assert_int_equal(id_at(objects, base + 0x6000), 3);
    assert_int_equal(id_at(objects, base + 0x6008), 2);
    apply(objects, SER_RAW_FREE, base + 0x10000, 0x1000); /* a part is unmapped */
    assert_int_equal(id_at(objects, base + 0x10800), 0);
    assert_int_equal(id_at(objects, base + 0x11000), 2);
    ser_stretch whole = ser_objects_find(objects, base + 0x5000, 0x2000);
    assert_int_equal(whole.end, base + 0x6000);
    apply(objects, SER_RAW_FREE, base, huge);
    assert_int_equal(id_at(objects, base + 0x6000), 0);
    assert_int_equal(objects->large.count, 0);
    ser_objects_fini(objects);
    free(objects);
}

/* malloc(0) may return a block, which is freed like any other. */
static void test_block_without_bytes(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    apply(objects, SER_RAW_ALLOCATE, 0x1000, 24);
    assert_int_equal(apply(objects, SER_RAW_ALLOCATE, 0x1000, 0)->id, 2);
    assert_int_equal(id_at(objects, 0x1000), 2);
    assert_int_equal(id_at(objects, 0x1001), 1);
    assert_true(ser_object_is_freed_with(ser_objects_at(objects, 2), ser_objects_at(objects, 2)));
    assert_false(ser_object_is_freed_with(ser_objects_at(objects, 1),
                                          ser_objects_at(objects, 2))); /* it was before */
    ser_objects_fini(objects);
    free(objects);
}

static void test_nonsense_changes_nothing(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    assert_null(apply(objects, SER_RAW_ALLOCATE, 0, 10));
    assert_null(apply(objects, SER_RAW_ALLOCATE, UINT64_MAX - 5, 10));
    apply(objects, SER_RAW_FREE, 0x1234, 0);
    apply(objects, SER_RAW_FREE, UINT64_MAX - 5, 10);
    assert_int_equal(id_at(objects, 0x1000), 0);
    ser_stretch end = ser_objects_find(objects, UINT64_MAX - 3, 16);
    assert_int_equal(end.end, UINT64_MAX);
    ser_objects_fini(objects);
    free(objects);
}

/* --- cells against a model of every byte -------------------------- */

enum { BASE = 0x7000, BYTES = 0x3000, RUNS = 300, LENGTH = 400 };

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

static ser_record draw_record(void)
{
    static const uint8_t makers[] = {SER_RAW_ALLOCATE, SER_RAW_LOCAL, SER_RAW_MAP};
    ser_record record = {.site = (uint32_t)draw(5)};
    uint64_t kind = draw(10);
    uint64_t spread = draw(2) ? 64 : BYTES - 600;
    record.object = BASE + draw(spread);
    if (kind == 0) {
        record.op = makers[draw(3)];
        record.value = draw(3) ? 1 + draw(100) : 1 + draw(500);
    } else if (kind == 1) {
        record.op = SER_RAW_FREE;
        record.value = 1 + draw(200);
    } else if (kind == 2) {
        record.op = SER_RAW_RANGE_WRITE;
        record.value = 1 + draw(500);
    } else {
        record.op = SER_OP_READ;
        record.size = (uint8_t)(1 + draw(16));
    }
    return record;
}

/* A model of blocks that are freed whole: which object each byte belongs to. */
typedef struct block_model {
    uint32_t life[0x400]; /* of the bytes from BASE on */
    uint32_t lives;
} block_model;

static void set_life(block_model *model, uint64_t base, uint64_t size, uint32_t life)
{
    for (uint64_t at = base; at < base + size; at++)
        if (at >= BASE && at < BASE + 0x400)
            model->life[at - BASE] = life;
}

static void allocate_in_both(ser_objects *objects, block_model *model, uint8_t op, uint64_t base,
                             uint64_t size)
{
    uint32_t life = ++model->lives;
    set_life(model, base, size, life);
    assert_int_equal(apply(objects, op, base, size)->id, life);
}

/* Blocks are allocated, freed, allocated again with the same size or another, freed twice; and
 * now and then all of it becomes a mapping, which they then lie in. */
static void test_freed_blocks(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    for (uint64_t run = 1; run <= 20; run++) {
        ser_objects *objects = ser_alloc(1, sizeof *objects);
        block_model *model = ser_alloc(1, sizeof *model);
        random_state = run * 7919;
        ser_objects_init(objects);
        for (int step = 0; step < STEPS; step++) {
            uint64_t base = BASE + 16 * draw(0x300 / 16);
            if (draw(100) == 0)
                allocate_in_both(objects, model, SER_RAW_MAP, BASE - 16, 0x8000);
            else if (draw(2))
                allocate_in_both(objects, model, SER_RAW_ALLOCATE, base, 16 + 8 * draw(4));
            else
                apply(objects, SER_RAW_FREE, base, 0); /* who has the bytes keeps them */
            uint64_t asked = draw(0x400);
            assert_int_equal(id_at(objects, BASE + asked), model->life[asked]);
        }
        for (uint64_t at = 0; at < 0x400; at++)
            assert_int_equal(id_at(objects, BASE + at), model->life[at]);
        ser_objects_fini(objects);
        free(objects);
        free(model);
    }
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
        random_state = seed * UINT64_C(0x9e3779b97f4a7c15);
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
        random_state = seed * UINT64_C(0xd6e8feb86659fd93);
        for (size_t i = 0; i < LENGTH; i++) {
            bool again = i > 10 && draw(2);
            records[i] = again ? records[i - 1 - draw(10)] : draw_record();
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
        cmocka_unit_test(test_a_block_has_its_bytes_until_another_gets_them),
        cmocka_unit_test(test_the_latest_object_has_the_bytes),
        cmocka_unit_test(test_an_object_takes_the_place_of_its_equal),
        cmocka_unit_test(test_large_objects),
        cmocka_unit_test(test_block_without_bytes),
        cmocka_unit_test(test_nonsense_changes_nothing),
        cmocka_unit_test(test_freed_blocks),
        cmocka_unit_test(test_cells_are_exact),
        cmocka_unit_test(test_traces_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
