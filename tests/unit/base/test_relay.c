/* SPDX-License-Identifier: MIT */
/* Two threads with few buffers: nothing is lost or comes twice, and either may end first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "base/relay.h"

enum { BUFFERS = 5, MANY = 100000 };

typedef struct two_threads {
    ser_relay relay;
    uint64_t numbers[BUFFERS];
    uint64_t limit; /* of the second thread: so many steps, then it ends */
    uint64_t steps, wrong;
} two_threads;

static void *fill(void *context)
{
    two_threads *shared = context;
    uint32_t at;
    while (shared->steps < shared->limit &&
           (at = ser_relay_to_fill(&shared->relay)) != SER_RELAY_NONE) {
        shared->numbers[at] = shared->steps++;
        ser_relay_filled(&shared->relay);
    }
    ser_relay_close(&shared->relay);
    return NULL;
}

static void *empty(void *context)
{
    two_threads *shared = context;
    uint32_t at;
    while (shared->steps < shared->limit &&
           (at = ser_relay_to_empty(&shared->relay)) != SER_RELAY_NONE) {
        shared->wrong += shared->numbers[at] != shared->steps++;
        ser_relay_emptied(&shared->relay);
    }
    ser_relay_close(&shared->relay);
    return NULL;
}

static void start(two_threads *shared, uint32_t buffers, void *(*run)(void *), uint64_t limit)
{
    shared->limit = limit;
    shared->steps = shared->wrong = 0;
    ser_relay_init(&shared->relay, buffers);
    assert_true(ser_relay_start(&shared->relay, run, shared));
}

static void test_what_is_filled_is_emptied_in_order(void **state)
{
    (void)state;
    for (uint32_t buffers = 1; buffers <= BUFFERS; buffers++) {
        two_threads shared;
        uint64_t count = 0;
        uint32_t at;
        start(&shared, buffers, fill, MANY + buffers);
        while ((at = ser_relay_to_empty(&shared.relay)) != SER_RELAY_NONE) {
            assert_int_equal(shared.numbers[at], count++);
            ser_relay_emptied(&shared.relay);
        }
        assert_int_equal(count, MANY + buffers);
        ser_relay_fini(&shared.relay);
    }
}

/* What was filled before the end is still emptied. */
static void test_the_filler_ends(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 4 * BUFFERS; count++) {
        two_threads shared;
        start(&shared, BUFFERS, empty, MANY);
        for (uint64_t i = 0; i < count; i++) {
            shared.numbers[ser_relay_to_fill(&shared.relay)] = i;
            ser_relay_filled(&shared.relay);
        }
        ser_relay_join(&shared.relay);
        assert_int_equal(shared.steps, count);
        assert_int_equal(shared.wrong, 0);
        ser_relay_fini(&shared.relay);
    }
}

static void test_the_emptier_ends(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 4 * BUFFERS; count++) {
        two_threads shared;
        start(&shared, BUFFERS, fill, MANY);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(shared.numbers[ser_relay_to_empty(&shared.relay)], i);
            ser_relay_emptied(&shared.relay);
        }
        ser_relay_fini(&shared.relay); /* the filler notices, and does not wait for ever */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_filled_is_emptied_in_order),
        cmocka_unit_test(test_the_filler_ends),
        cmocka_unit_test(test_the_emptier_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
