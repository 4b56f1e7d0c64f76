/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "unit/small_run.h"
#include "witness/schedule.h"

/* A run, a witness for its first block, and the schedule of it. */
typedef struct subject {
    small_trace trace;
    ser_run *run;
    ser_event_list order;
    ser_witness_facts facts;
    ser_schedule schedule;
} subject;

/* Puts the numbers of a text into a list. */
#define add_numbers(list, text)                                                                    \
    for (char *next_ = (char *)(text); *next_;)                                                    \
    ser_vector_push(list, (uint32_t)strtoul(next_, &next_, 10))

static void open_run(subject *s, const char *events)
{
    *s = (subject){.trace = small_trace_of(events)};
    s->run = small_run_of(&s->trace);
}

static void make(subject *s, const char *order, const char *path, const char *broken,
                 bool serializability)
{
    add_numbers(&s->order, order);
    add_numbers(&s->facts.path, path);
    add_numbers(&s->facts.broken, broken);
    ser_schedule_source source = {.run = s->run,
                                  .trace = "a trace.std",
                                  .block = 1,
                                  .serializability = serializability,
                                  .order = &s->order,
                                  .facts = &s->facts};
    ser_schedule_make(&s->schedule, &source);
}

static void close_subject(subject *s)
{
    ser_schedule_fini(&s->schedule);
    ser_witness_facts_fini(&s->facts);
    ser_vector_free(&s->order);
    ser_run_destroy(s->run);
    small_trace_free(&s->trace);
}

/* The text of a schedule, NUL-terminated; to be freed. */
static char *written(const ser_schedule *schedule)
{
    ser_output *output = ser_output_open_memory();
    ser_error error;
    size_t length;
    ser_schedule_write(schedule, output);
    assert_int_equal(ser_output_finish(output, &error), SER_OK);
    const void *bytes = ser_output_bytes(output, &length);
    char *text = ser_copy_text(bytes, length);
    ser_output_close(output);
    return text;
}

static ser_status read_text(ser_schedule *schedule, const char *text, ser_error *error)
{
    ser_input *input = ser_input_open_memory(text, strlen(text), "file");
    ser_status status = ser_schedule_read(schedule, input, error);
    ser_input_close(input);
    return status;
}

/* What is written reads back and is then written the same. */
static void expect_round_trip(const ser_schedule *schedule)
{
    char *text = written(schedule);
    ser_schedule again;
    ser_error error;
    if (read_text(&again, text, &error) != SER_OK)
        fail_msg("%s in\n%s", error.text, text);
    assert_int_equal(again.block, schedule->block);
    assert_int_equal(again.serializability, schedule->serializability);
    assert_int_equal(again.runs.count, schedule->runs.count);
    char *repeated = written(&again);
    assert_string_equal(repeated, text);
    free(repeated);
    free(text);
    ser_schedule_fini(&again);
}

static const char LOST_UPDATE[] = "T1|begin T1|r(x) T1|w(x) T1|end T2|r(x) T2|w(x) T2|fork(T3)";

static void runs_end_at_switches_and_marks(void **state)
{
    (void)state;
    subject s;
    open_run(&s, LOST_UPDATE);
    make(&s, "1 2 5 6 7 3", "2 6 3", "5", false);
    char *text = written(&s.schedule);
    assert_string_equal(
        text, "seriatim-schedule 1\n"
              "trace a%20trace.std\n"
              "block 1\n"
              "criterion path\n"
              "path 2 6 3\n"
              "broken 5\n"
              "\n"
              "# *: on the violation path; !: a read that gets another value than observed\n"
              "# thread  steps  first..last  last step  location\n"
              "T1        2      1..2         r(x)       -         *\n"
              "T2        1      5..5         r(x)       -         !\n"
              "T2        1      6..6         w(x)       -         *\n"
              "T2        1      7..7         fork(T3)   -\n"
              "T1        1      3..3         w(x)       -         *\n");
    free(text);
    expect_round_trip(&s.schedule);
    close_subject(&s);
}

static void names_wider_than_columns_read_back(void **state)
{
    (void)state;
    subject s;
    open_run(&s, "T1|begin T1|w(the_longest_name_of_a_variable_in_this_whole_test_program[12345]) "
                 "T1|end T2|r(x)");
    make(&s, "1 2 4", "2", "", false);
    expect_round_trip(&s.schedule);
    close_subject(&s);
}

static void one_event_can_be_both(void **state)
{
    (void)state;
    subject s;
    open_run(&s, LOST_UPDATE);
    make(&s, "1 2 5", "2 5", "5", true);
    char *text = written(&s.schedule);
    assert_non_null(strstr(text, "criterion serializability\n"));
    assert_non_null(strstr(text, "*!\n"));
    free(text);
    expect_round_trip(&s.schedule);
    close_subject(&s);
}

static void names_may_be_anything(void **state)
{
    (void)state;
    static const char *const names[] = {"",     "-",        "%",        "a b", "#", "()", ")(",
                                        "100%", "\x7f\n\t", "\xc3\xa9", "%41", "*", "..", "x(y)z"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        subject s;
        open_run(&s, "T|begin T|r(x) T|end");
        ser_symbols *symbols = s.trace.symbols;
        uint32_t site = ser_symbols_add_site(symbols, names[i], length, SER_NO_OBJECT);
        uint32_t name = ser_symbols_add(symbols, SER_SPACE_VARIABLE, names[i], length);
        uint32_t thread = ser_symbols_add(symbols, SER_SPACE_THREAD, names[i], length);
        s.run->events[2].site = site;
        s.run->events[2].object = name;
        s.run->events[2].thread = thread;
        make(&s, "1 2", "2", "", false);
        char *text = written(&s.schedule);
        ser_schedule again;
        ser_error error;
        if (read_text(&again, text, &error) != SER_OK)
            fail_msg("%s", error.text);
        const ser_schedule_run *run = &again.runs.items[1];
        assert_string_equal(ser_names_text(again.names, run->thread), names[i]);
        assert_string_equal(ser_names_text(again.names, run->operand), names[i]);
        assert_string_equal(ser_names_text(again.names, run->location), names[i]);
        ser_schedule_fini(&again);
        free(text);
        expect_round_trip(&s.schedule);
        close_subject(&s);
    }
}

static void nothing_is_not_the_same_as_empty(void **state)
{
    (void)state;
    subject s;
    open_run(&s, "T|begin T|begin() T|r(x)");
    make(&s, "1 2", "1 2", "", false);
    assert_int_equal(s.schedule.runs.items[0].operand, SER_NO_NAME);
    assert_int_not_equal(s.schedule.runs.items[1].operand, SER_NO_NAME);
    expect_round_trip(&s.schedule);
    close_subject(&s);
}

#define HEADER                                                                                     \
    "seriatim-schedule 1\n"                                                                        \
    "trace t\n"                                                                                    \
    "block 1\n"                                                                                    \
    "criterion path\n"                                                                             \
    "path 2\n"                                                                                     \
    "broken\n"

static void refuse(const char *text, const char *reason)
{
    ser_schedule schedule;
    ser_error error = {0};
    assert_int_equal(read_text(&schedule, text, &error), SER_INPUT);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, error.text);
    ser_schedule_fini(&schedule);
}

static void what_is_no_schedule_is_refused(void **state)
{
    (void)state;
    refuse("", "file: the line \"seriatim-schedule\" is missing");
    refuse("T1|r(x)|1\n", "file:1: another line of the header was expected");
    refuse("seriatim-schedule 2\n", "file:1: unknown version of the format");
    refuse("seriatim-schedule 1\nblock 1\n", "file:2: another line");
    refuse("seriatim-schedule 1\ntrace t\nblock 0\n", "malformed event number");
    refuse("seriatim-schedule 1\ntrace t\nblock 1\ncriterion none\n", "unknown criterion");
    refuse("seriatim-schedule 1\ntrace a b\n", "too many words");
    refuse(HEADER, "file: no thread takes a step");
    refuse(HEADER "T1 0 1..1 r(x) -\n", "file:7: malformed number of steps");
    refuse(HEADER "T1 x 1..1 r(x) -\n", "malformed number of steps");
    refuse(HEADER "T1 4294967296 1..1 r(x) -\n", "malformed number of steps");
    refuse(HEADER "T1 1 1 r(x) -\n", "first..last is missing");
    refuse(HEADER "T1 1 1..x r(x) -\n", "malformed event number");
    refuse(HEADER "T1 1 1..1 read(x) -\n", "unknown operation");
    refuse(HEADER "T1 1 1..1 r(x -\n", "the operand has no end");
    refuse(HEADER "T1 1 1..1 r(%4) -\n", "malformed escape");
    refuse(HEADER "T1 1 1..1 r(%zz) -\n", "malformed escape");
    refuse(HEADER "T1 1 1..1 r(x)\n", "a word is missing");
    refuse(HEADER "T1 1 1..1 r(x) - *\n", "the header does not agree");
    refuse(HEADER "T1 1 2..2 r(x) -\n", "the header does not agree");
    refuse(HEADER "T1 1 2..2 r(x) - * more\n", "too many words");
}

static void comments_and_line_ends_do_not_matter(void **state)
{
    (void)state;
    ser_schedule schedule;
    ser_error error;
    assert_int_equal(
        read_text(&schedule, "# hello\r\n\r\n" HEADER "\n# x\nT1 1 2..2 r(x) - *\r\n", &error),
        SER_OK);
    assert_int_equal(schedule.runs.count, 1);
    ser_schedule_fini(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_end_at_switches_and_marks),
        cmocka_unit_test(names_wider_than_columns_read_back),
        cmocka_unit_test(one_event_can_be_both),
        cmocka_unit_test(names_may_be_anything),
        cmocka_unit_test(nothing_is_not_the_same_as_empty),
        cmocka_unit_test(what_is_no_schedule_is_refused),
        cmocka_unit_test(comments_and_line_ends_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
