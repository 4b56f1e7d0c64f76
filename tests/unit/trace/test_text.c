/* SPDX-License-Identifier: MIT */
/* The text format: what is read from a line, what is refused, and that every
 * event survives being written and read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "fuzz/round_trip.h"
#include "trace/io/lines.h"

static loaded load_text(const char *text)
{
    loaded trace;
    load(&trace, &ser_format_text, text, strlen(text), SER_BATCH);
    return trace;
}

/* The only event of a trace as "thread op operand location function value". */
static void expect_event(const char *text, const char *expected)
{
    char shown[512];
    loaded trace = load_text(text);
    if (trace.status != SER_OK)
        fail_msg("%s", trace.error.text);
    assert_int_equal(trace.events.count, 1);
    const ser_event *event = trace.events.items;
    const ser_symbols *symbols = trace.symbols;
    uint32_t function = ser_symbols_site_function(symbols, event->site);
    snprintf(shown, sizeof shown, "<%s> %s <%s> <%s> <%s> %s%llx",
             ser_symbols_name(symbols, SER_SPACE_THREAD, event->thread), ser_op_name(event->op),
             event->object == SER_NO_OBJECT
                 ? "-"
                 : ser_symbols_name(symbols, ser_op_space(event->op), event->object),
             event->site == SER_NO_SITE ? "-" : ser_symbols_location(symbols, event->site),
             function == SER_NO_OBJECT ? "-"
                                       : ser_symbols_name(symbols, SER_SPACE_FUNCTION, function),
             event->flags & SER_EVENT_HAS_VALUE ? "=" : "", (unsigned long long)event->value);
    assert_string_equal(shown, expected);
    check_text_round_trip(&trace);
    unload(&trace);
}

static void test_lines(void **state)
{
    (void)state;
    expect_event("T1|acq(L3)|bank.c:42\n", "<T1> acq <L3> <bank.c:42> <-> 0");
    expect_event("T1|w(x)|", "<T1> w <x> <-> <-> 0");
    expect_event("T1|w(x)|3\r\n", "<T1> w <x> <3> <-> 0");
    expect_event("T1|w(x)|3\r", "<T1> w <x> <3> <-> 0");
    expect_event("\xef\xbb\xbfT1|w(x)|3\n", "<T1> w <x> <3> <-> 0");
    expect_event("# only\n#|a\nT 1 |begin|6300\n# comments\n", "<T 1 > begin <-> <6300> <-> 0");
    expect_event("T1|end()|\n", "<T1> end <-> <-> <-> 0");
    expect_event("T1|begin(deposit)|\n", "<T1> begin <deposit> <-> <-> 0");
    expect_event("T1|skip|\n", "<T1> skip <-> <-> <-> 0");
    expect_event("T1|skip||value=12\n", "<T1> skip <-> <-> <-> =c");
    expect_event("T1|notifyall(c)|\n", "<T1> notifyall <c> <-> <-> 0");
}

static void test_operands_and_locations_with_bars(void **state)
{
    (void)state;
    expect_event("T|w(a.b[0](c))|1\n", "<T> w <a.b[0](c)> <1> <-> 0");
    expect_event("T|w(a|b)|1\n", "<T> w <a|b> <1> <-> 0");
    expect_event("T|w(a)b)|1\n", "<T> w <a)b> <1> <-> 0");
    expect_event("T|w(a))|1\n", "<T> w <a)> <1> <-> 0");
    expect_event("T|w(()|1\n", "<T> w <(> <1> <-> 0");
    expect_event("T|w(x)|a|b\n", "<T> w <x> <a|b> <-> 0");
    expect_event("T|w(x)|a|B=2\n", "<T> w <x> <a|B=2> <-> 0");
    expect_event("T|w(x)|)|\n", "<T> w <x> <)|> <-> 0");
    expect_event("T|w(x)|value=5\n", "<T> w <x> <value=5> <-> 0");
}

static void test_fields(void **state)
{
    (void)state;
    expect_event("T|r(x)|a.c:1|value=17\n", "<T> r <x> <a.c:1> <-> =11");
    expect_event("T|r(x)||value=0x1F\n", "<T> r <x> <-> <-> =1f");
    expect_event("T|r(x)||value=-1\n", "<T> r <x> <-> <-> =ffffffffffffffff");
    expect_event("T|r(x)||value=-9223372036854775808\n", "<T> r <x> <-> <-> =8000000000000000");
    expect_event("T|r(x)||value=18446744073709551615\n", "<T> r <x> <-> <-> =ffffffffffffffff");
    expect_event("T|r(x)|l|function=f%28int%29|value=2\n", "<T> r <x> <l> <f(int)> =2");
    expect_event("T|r(x)||function=f\n", "<T> r <x> <> <f> 0");
    expect_event("T|r(x)||location=\n", "<T> r <x> <> <-> 0");
    expect_event("T|begin||operand=\n", "<T> begin <> <-> <-> 0");
    expect_event("T|r()||operand=\n", "<T> r <> <-> <-> 0");
    expect_event("|r(x)||thread=\n", "<> r <x> <-> <-> 0");
    expect_event("?|r(?)|?|thread=a%7Cb|operand=%29%7c|location=%0A\n", "<a|b> r <)|> <\n> <-> 0");
    expect_event("T|r(x)|a|later_key=anything at all|value=1\n", "<T> r <x> <a> <-> =1");
    expect_event("T|r(x)|a|x=1|y|value=1\n", "<T> r <x> <a|x=1|y> <-> =1");
}

/* Lines after two good events and a comment: messages count both. */
static void expect_refused(const char *line, const char *message)
{
    char text[256], expected[512];
    snprintf(text, sizeof text, "T|r(x)|\n# comment\nT|w(x)|\n%s\nT|w(x)|\n", line);
    snprintf(expected, sizeof expected, "bytes:4: event 3: %s", message);
    for (size_t batch = 1; batch < 5; batch++) {
        loaded trace;
        load(&trace, &ser_format_text, text, strlen(text), batch);
        assert_int_equal(trace.status, SER_INPUT);
        assert_string_equal(trace.error.text, expected);
        assert_int_equal(trace.events.count, 2);
        unload(&trace);
    }
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused("T1|lock(x)|3", "unknown operation 'lock' in \"T1|lock(x)|3\"");
    expect_refused("T1||3", "unknown operation '' in \"T1||3\"");
    expect_refused("", "blank line in \"\"");
    expect_refused("\r", "blank line in \"\"");
    expect_refused("T1", "missing operation (no '|') in \"T1\"");
    expect_refused(" # no comment", "missing operation (no '|') in \" # no comment\"");
    expect_refused("T1|w(x)", "missing location (no '|' after the operand) in \"T1|w(x)\"");
    expect_refused("T1|begin", "missing location (no second '|') in \"T1|begin\"");
    expect_refused("T1|w(x|3", "operand that no ')|' ends in \"T1|w(x|3\"");
    expect_refused("T1|w(", "operand that no ')|' ends in \"T1|w(\"");
    expect_refused("T1|w(x) |3", "operand that no ')|' ends in \"T1|w(x) |3\"");
    expect_refused("T1|w()|3", "missing operand in \"T1|w()|3\"");
    expect_refused("T1|w|3", "missing operand in \"T1|w|3\"");
    expect_refused("|w(x)|3", "missing thread in \"|w(x)|3\"");
    expect_refused("T|r(x)||value=", "malformed value '' in \"T|r(x)||value=\"");
    expect_refused("T|r(x)||value=0x", "malformed value '0x' in \"T|r(x)||value=0x\"");
    expect_refused("T|r(x)||value=--1", "malformed value '--1' in \"T|r(x)||value=--1\"");
    expect_refused("T|r(x)||value=-9223372036854775809",
                   "malformed value '-9223372036854775809' in "
                   "\"T|r(x)||value=-9223372036854775809\"");
    expect_refused("T|r(x)||value=18446744073709551616",
                   "malformed value '18446744073709551616' in "
                   "\"T|r(x)||value=18446744073709551616\"");
    expect_refused("T|r(x)||thread=%4", "malformed escape '%4' in \"T|r(x)||thread=%4\"");
    expect_refused("T|r(x)||thread=%4G", "malformed escape '%4G' in \"T|r(x)||thread=%4G\"");
    expect_refused("\001\"\\\377", "missing operation (no '|') in \"\\x01\\\"\\\\\\xff\"");
}

static void test_long_lines_are_shown_shortened(void **state)
{
    (void)state;
    char line[400];
    memset(line, 'x', sizeof line);
    loaded trace;
    load(&trace, &ser_format_text, line, sizeof line, SER_BATCH);
    assert_int_equal(trace.status, SER_INPUT);
    assert_true(strlen(trace.error.text) < 200);
    assert_non_null(strstr(trace.error.text, "xxx...\""));
    unload(&trace);
}

static void test_line_limit(void **state)
{
    (void)state;
    static const char start[] = "T|w(x)|";
    for (size_t length = SER_LINE_LIMIT - 1; length <= SER_LINE_LIMIT + 1; length++) {
        for (int ended = 0; ended < 2; ended++) {
            char *line = ser_alloc(length + 1, 1);
            memset(line, 'l', length);
            memcpy(line, start, sizeof start - 1);
            line[length] = '\n';
            loaded trace;
            load(&trace, &ser_format_text, line, length + (size_t)ended, SER_BATCH);
            assert_int_equal(trace.status, length > SER_LINE_LIMIT ? SER_INPUT : SER_OK);
            assert_int_equal(trace.events.count, length > SER_LINE_LIMIT ? 0 : 1);
            unload(&trace);
            free(line);
        }
    }
}

static void test_comments_alone_are_a_trace(void **state)
{
    (void)state;
    loaded trace = load_text("# nothing\n");
    assert_int_equal(trace.status, SER_OK);
    assert_int_equal(trace.events.count, 0);
    check_text_round_trip(&trace); /* does not become an empty file */
    unload(&trace);
}

static void test_name_spaces_are_separate(void **state)
{
    (void)state;
    loaded trace = load_text("a|w(a)|\na|acq(a)|\na|fork(b)|\nb|wait(a)|\na|begin(a)|\n");
    assert_int_equal(trace.events.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(trace.events.items[i].object, i == 2 ? 1 : 0);
    assert_int_equal(trace.events.items[3].thread, 1);
    assert_int_equal(ser_symbols_count(trace.symbols, SER_SPACE_THREAD), 2);
    unload(&trace);
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

/* Up to seven bytes, most of which mean something to the format. */
static size_t make_name(char *name, uint32_t *random)
{
    static const char bytes[] = "ab=|)(%#_\n\r\0\t\x7f\xef\xbb\xbf\"";
    size_t length = next_random(random) % 8;
    for (size_t i = 0; i < length; i++)
        name[i] = bytes[next_random(random) % (sizeof bytes - 1)];
    return length;
}

static uint32_t add_name(loaded *trace, ser_space space, uint32_t *random)
{
    char name[8];
    size_t length = make_name(name, random);
    return ser_symbols_add(trace->symbols, space, name, length);
}

static void add_random_event(loaded *trace, uint32_t *random)
{
    char location[8];
    ser_event event = {.op = next_random(random) % SER_OP_COUNT};
    event.thread = add_name(trace, SER_SPACE_THREAD, random);
    event.object = add_name(trace, ser_op_space(event.op), random);
    size_t length = make_name(location, random);
    uint32_t function = add_name(trace, SER_SPACE_FUNCTION, random);
    uint32_t choice = next_random(random);
    event.site = choice & 1 ? SER_NO_SITE
                            : ser_symbols_add_site(trace->symbols, location, length,
                                                   choice & 2 ? function : SER_NO_OBJECT);
    if (event.op == SER_OP_BEGIN && choice & 4)
        event.object = SER_NO_OBJECT;
    if (choice & 8) {
        event.flags = SER_EVENT_HAS_VALUE;
        event.value = choice * 0x9e3779b97f4a7c15u;
    }
    event.flags |= choice & 16 ? SER_EVENT_JOINED : 0;
    event.flags |= choice & 32 ? SER_EVENT_CONTINUES : 0;
    event.flags |= choice & 64 ? SER_EVENT_LATE : 0;
    event.flow = choice & 128 ? choice >> 8 & SER_FLOW_ALL : 0;
    ser_vector_push(&trace->events, event);
}

static void test_every_event_has_a_text_form(void **state)
{
    (void)state;
    loaded trace = {.symbols = ser_symbols_create()};
    uint32_t random = 1;
    for (int i = 0; i < 20000; i++)
        add_random_event(&trace, &random);
    check_text_round_trip(&trace);
    unload(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_operands_and_locations_with_bars),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_long_lines_are_shown_shortened),
        cmocka_unit_test(test_line_limit),
        cmocka_unit_test(test_comments_alone_are_a_trace),
        cmocka_unit_test(test_name_spaces_are_separate),
        cmocka_unit_test(test_every_event_has_a_text_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
