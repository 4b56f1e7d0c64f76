/* SPDX-License-Identifier: MIT */
/* Guards: what their words mean, for prediction and for the checker alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "symbolic/guards.h"
#include "witness/checker/guards.h"

enum { NOTHING = -1 };

/* The result of one expression; NOTHING if it has none. */
static int64_t result_of(const char *text, uint64_t value)
{
    ser_guards guards;
    uint64_t results[SER_MOST_GUARDS];
    assert_true(ser_guards_parse(&guards, text, strlen(text)));
    assert_int_equal(guards.count, 1);
    bool good = ser_guards_evaluate(&guards, value, results);
    ser_guards_fini(&guards);
    return good ? (int64_t)results[0] : NOTHING;
}

static void test_numbers_have_a_width_and_a_sign(void **state)
{
    (void)state;
    assert_int_equal(result_of("v,0,sgt32", 5), 1);
    assert_int_equal(result_of("v,0,sgt32", 0xffffffff), 0); /* -1 */
    assert_int_equal(result_of("v,0,ugt32", 0xffffffff), 1);
    assert_int_equal(result_of("v,4294967295,add32", 5), 4);
    assert_int_equal(result_of("v,sext8,trunc16", 0x80), 0xff80);
    assert_int_equal(result_of("v,trunc1", 6), 0);
    assert_int_equal(result_of("10,v,sub32", 3), 7);
    assert_int_equal(result_of("v,7,and32,0,ne32", 8), 0);
    assert_int_equal(result_of("v,4294967293,sdiv32", 7), 0xfffffffe); /* by -3 */
    assert_int_equal(result_of("v,1,ashr8", 0x80), 0xc0);
    assert_int_equal(result_of("v,1,lshr8", 0x80), 0x40);
    assert_int_equal(result_of("v,1,wadd32", 0xffffffff), 0);
    assert_int_equal(result_of("0,v,wsub8", 1), 0xff);
    assert_int_equal(result_of("v,2654435761,wmul32", 4), 0x78dde6c4);
    assert_int_equal(result_of("v,4,wshl8", 0x1f), 0xf0);
    assert_int_equal(result_of("v,3,eq32,7,9,sel32", 3), 7);
    assert_int_equal(result_of("v,3,eq32,7,9,sel32", 4), 9);
}

/* 1.5, 2.5 and 0.1 as doubles and floats. */
static void test_numbers_with_a_point(void **state)
{
    (void)state;
    assert_int_equal(result_of("v,4612811918334230528,fadd64", 0x3ff8000000000000),
                     0x4010000000000000);                                       /* 4.0 */
    assert_int_equal(result_of("v,1075838976,fmul32", 0x3dcccccd), 0x3e800000); /* 0.25 */
    assert_int_equal(result_of("v,0,folt64", UINT64_C(0x8000000000000000)), 0); /* -0 */
    assert_int_equal(result_of("v,0,foeq64", 0x7ff8000000000000), 0);           /* not a number */
    assert_int_equal(result_of("v,0,fueq64", 0x7ff8000000000000), 1);
    assert_int_equal(result_of("v,sext32,sif64", 0xffffffff), (int64_t)0xbff0000000000000);
    assert_int_equal(result_of("v,fsw64", 0xc00c000000000000), 0xfffffffd); /* -3.5 */
    assert_int_equal(result_of("v,fext32,fcut64", 0x3dcccccd), 0x3dcccccd);
    assert_int_equal(result_of("v,0,fdiv64", 0), NOTHING);
    assert_int_equal(result_of("v,fsw64", 0x41e0000000000000), NOTHING); /* 2^31 */
    assert_int_equal(result_of("v,ful64", 0xbff0000000000000), NOTHING); /* -1.0 */
    assert_int_equal(result_of("v,1,fadd8", 1), NOTHING);
}

static void test_what_is_undefined_has_no_result(void **state)
{
    (void)state;
    assert_int_equal(result_of("v,1,add32", 0x7fffffff), NOTHING);
    assert_int_equal(result_of("v,2,mul8", 64), NOTHING);
    assert_int_equal(result_of("1,v,shl32", 31), NOTHING);
    assert_int_equal(result_of("1,v,shl32", 32), NOTHING);
    assert_int_equal(result_of("8,v,udiv32", 0), NOTHING);
    assert_int_equal(result_of("1,v,wshl32", 32), NOTHING);
    assert_int_equal(result_of("v,255,sdiv8", 0x80), NOTHING);
}

static void test_malformed_texts_are_no_guards(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",          ";",
        "v,",        "v;",
        "v,v",       "add32",
        "v,1,add",   "v,1,add0",
        "v,1,add65", "v,1,twist32",
        "v v",       "v,1,add32,",
        "w",         "18446744073709551616",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ser_guards guards;
        if (ser_guards_parse(&guards, texts[i], strlen(texts[i])))
            fail_msg("\"%s\" was parsed", texts[i]);
    }
}

/* --- random expressions: both interpreters say the same ------------------------- */

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* Often at the edges of a width, where something may overflow. */
static uint64_t draw_number(uint64_t *seed)
{
    static const uint64_t edges[] = {
        0,
        1,
        2,
        0x7f,
        0x80,
        0xff,
        0x7fffffff,
        0x80000000,
        0xffffffff,
        UINT64_MAX,
        INT64_MAX,
        UINT64_C(1) << 63,
        0x3fc00000,                   /* 1.5 */
        0x4f000000,                   /* 2^31, a float */
        UINT64_C(0x3fb999999999999a), /* 0.1 */
        UINT64_C(0xc1e0000000000000), /* -2^31 */
        UINT64_C(0x43e0000000000000), /* 2^63 */
        UINT64_C(0x7ff8000000000000), /* not a number */
        UINT64_C(0x000fffffffffffff), /* tiny */
    };
    return draw(seed) % 3 ? edges[draw(seed) % (sizeof edges / sizeof *edges)] : draw(seed) % 70;
}

static void draw_text(char *text, size_t size, uint64_t *seed)
{
    static const struct {
        const char *name;
        int operands;
    } operations[] = {
#define SER_GUARD_OPERATION(symbol, name, operands) {name, operands},
#include "contract/guards.def"
    };
    static const int widths[] = {1, 8, 32, 64};
    size_t length = (size_t)snprintf(text, size, "v");
    for (uint64_t i = 1 + draw(seed) % 4; i > 0; i--) {
        size_t op = draw(seed) % (sizeof operations / sizeof *operations);
        for (int operand = 1; operand < operations[op].operands; operand++)
            length +=
                (size_t)snprintf(text + length, size - length, ",%" PRIu64, draw_number(seed));
        length += (size_t)snprintf(text + length, size - length, ",%s%d", operations[op].name,
                                   widths[draw(seed) % 4]);
    }
}

static bool agree(const char *text, uint64_t value, uint64_t other)
{
    ser_guards guards;
    uint64_t results[SER_MOST_GUARDS], others[SER_MOST_GUARDS];
    assert_true(ser_guards_parse(&guards, text, strlen(text)));
    bool good = ser_guards_evaluate(&guards, value, results) &&
                ser_guards_evaluate(&guards, other, others) &&
                memcmp(results, others, guards.count * sizeof *results) == 0;
    ser_guards_fini(&guards);
    return good;
}

static void test_predictor_and_checker_agree(void **state)
{
    (void)state;
    uint64_t seed = 20, positive = 0;
    for (int i = 0; i < 200000; i++) {
        char text[256];
        draw_text(text, sizeof text, &seed);
        uint64_t value = draw_number(&seed), other = draw_number(&seed);
        bool expected = agree(text, value, other);
        positive += expected && value != other;
        if (ser_checker_guards_agree(text, value, other) != expected)
            fail_msg("%s of %" PRIu64 " and %" PRIu64 ": the predictor says %d", text, value, other,
                     expected);
    }
    assert_true(positive > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_have_a_width_and_a_sign),
        cmocka_unit_test(test_numbers_with_a_point),
        cmocka_unit_test(test_what_is_undefined_has_no_result),
        cmocka_unit_test(test_malformed_texts_are_no_guards),
        cmocka_unit_test(test_predictor_and_checker_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
