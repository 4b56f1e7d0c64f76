/* SPDX-License-Identifier: MIT */
/* What libraries keep for themselves, and synchronise by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "session/run/judge/library.h"
#include "unit/small_run.h"

/* The places of all events, a letter each: of a header of the system, or of the program. */
static void place(small_trace *trace, const char *letters)
{
    for (size_t i = 0; i < trace->count; i++) {
        const char *where = letters[i] == 'h' ? "/usr/include/pool.h:1" : "main.c:1";
        trace->events[i].site =
            ser_symbols_add_site(trace->symbols, where, strlen(where), SER_NO_OBJECT);
    }
}

/* Of a violation by the three events. */
static bool is_matter(const char *text, const char *places, const uint32_t path[3], uint16_t flow)
{
    small_trace trace = small_trace_of(text);
    place(&trace, places);
    trace.events[0].flags |= SER_EVENT_OPENS;
    for (int i = 0; i < 3; i++)
        trace.events[path[i] - 1].flow |= flow;
    ser_run *run = small_run_of(&trace);
    ser_witness_facts facts = {0};
    for (int i = 0; i < 3; i++)
        ser_vector_push(&facts.path, path[i]);
    bool found = ser_is_library_matter(run, &facts);
    ser_witness_facts_fini(&facts);
    ser_run_destroy(run);
    small_trace_free(&trace);
    return found;
}

static void headers_synchronise_their_atomics(void **state)
{
    (void)state;
    static const char text[] = "T1|call(f) T1|r(x) T2|rmw(x) T1|rmw(x)";
    const uint32_t path[] = {2, 3, 4};
    assert_true(is_matter(text, "mhhh", path, SER_FLOW_ATOMIC));
    assert_false(is_matter(text, "mhhh", path, 0));               /* a race in a header */
    assert_false(is_matter(text, "mhmh", path, SER_FLOW_ATOMIC)); /* the program's own access */
}

static void headers_take_locks_of_their_own(void **state)
{
    (void)state;
    static const char text[] = "T1|call(f) T1|acq(m) T1|r(x) T1|rel(m) T2|acq(m) T2|w(x) T2|rel(m) "
                               "T1|acq(m) T1|r(x) T1|rel(m)";
    const uint32_t path[] = {3, 6, 9};
    assert_true(is_matter(text, "mhhhhhhhhh", path, 0));
    /* The program has locked: it uses a container, and says what belongs together. */
    assert_false(is_matter(text, "mmhmmhmmhm", path, 0));
}

/* What lies in one block with the state of a future belongs to it, if it is of a type of the
 * library; what the program has captured there is its own. */
static void futures_are_one_block(void **state)
{
    (void)state;
    static const char *const names[] = {
        "_M_status of class std::__future_base::_State_baseV2, allocated at future:1505 (1st)",
        "_M_head_impl of struct std::_Head_base, allocated at future:1505 (1st)",
        "total of class summing, allocated at future:1505 (1st)",
        "_M_head_impl of struct std::_Head_base, allocated at main.cc:7 (1st)",
    };
    ser_symbols *symbols = ser_symbols_create();
    for (size_t i = 0; i < 4; i++)
        ser_symbols_add(symbols, SER_SPACE_VARIABLE, names[i], strlen(names[i]));
    bool *own = ser_library_variables(symbols);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(own[i], i < 2);
    free(own);
    ser_symbols_destroy(symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_synchronise_their_atomics),
        cmocka_unit_test(headers_take_locks_of_their_own),
        cmocka_unit_test(futures_are_one_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
