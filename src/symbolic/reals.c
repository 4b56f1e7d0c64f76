/* SPDX-License-Identifier: MIT */
/*
 * A float is computed with as a double, and rounded once more: for one sum, difference, product or
 * quotient that gives what a float would have given, since a double has more than twice its digits.
 */
#include "symbolic/reals.h"

#include <math.h>
#include <string.h>

enum { FLOAT = 32, DOUBLE = 64 };

static double number_of(uint64_t bits, unsigned width)
{
    double number;
    float small;
    uint32_t low = (uint32_t)bits;
    if (width == DOUBLE) {
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    memcpy(&small, &low, sizeof small);
    return small;
}

static bool bits_of(double number, unsigned width, uint64_t *bits)
{
    float small = (float)number;
    uint32_t low;
    memcpy(bits, &number, sizeof *bits);
    if (width == FLOAT) {
        memcpy(&low, &small, sizeof low);
        *bits = low;
    }
    return !isnan(number);
}

static bool calculate(ser_guard_op op, unsigned width, double a, double b, uint64_t *result)
{
    switch (op) {
    case SER_GUARD_FADD:
        return bits_of(a + b, width, result);
    case SER_GUARD_FSUB:
        return bits_of(a - b, width, result);
    case SER_GUARD_FMUL:
        return bits_of(a * b, width, result);
    default:
        return bits_of(a / b, width, result);
    }
}

static bool compare(ser_guard_op op, double a, double b)
{
    switch (op) {
    case SER_GUARD_FOEQ:
        return a == b;
    case SER_GUARD_FOGT:
        return a > b;
    case SER_GUARD_FOGE:
        return a >= b;
    case SER_GUARD_FOLT:
        return a < b;
    case SER_GUARD_FOLE:
        return a <= b;
    case SER_GUARD_FONE:
        return a < b || a > b;
    case SER_GUARD_FUEQ:
        return !(a < b || a > b);
    case SER_GUARD_FUGT:
        return !(a <= b);
    case SER_GUARD_FUGE:
        return !(a < b);
    case SER_GUARD_FULT:
        return !(a >= b);
    case SER_GUARD_FULE:
        return !(a > b);
    default:
        return a != b;
    }
}

/* A whole number between these two, which are outside. */
static bool cut(double number, double below, double above, uint64_t *result)
{
    bool fits = number > below && number < above;
    if (fits)
        *result = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    return fits;
}

static bool convert(ser_guard_op op, unsigned width, uint64_t a, uint64_t *result)
{
    const double two31 = 0x1p31, two32 = 0x1p32, two63 = 0x1p63, two64 = 0x1p64;
    double number = number_of(a, width);
    switch (op) {
    case SER_GUARD_FSW:
        if (!cut(number, -two31 - 1, two31, result))
            return false;
        *result &= UINT32_MAX;
        return true;
    case SER_GUARD_FSL:
        return cut(number, -two63 - 2048, two63, result);
    case SER_GUARD_FUW:
        return cut(number, -1, two32, result);
    case SER_GUARD_FUL:
        return cut(number, -1, two64, result);
    case SER_GUARD_FEXT:
        return width == FLOAT && bits_of(number, DOUBLE, result);
    default:
        return width == DOUBLE && bits_of(number, FLOAT, result);
    }
}

/* Rounded once, from the whole number. */
static bool make_real(ser_guard_op op, unsigned width, uint64_t a, uint64_t *result)
{
    if (width == DOUBLE)
        return bits_of(op == SER_GUARD_SIF ? (double)(int64_t)a : (double)a, DOUBLE, result);
    return bits_of(op == SER_GUARD_SIF ? (float)(int64_t)a : (float)a, FLOAT, result);
}

bool ser_is_of_reals(ser_guard_op op)
{
    return op >= SER_GUARD_FADD && op <= SER_GUARD_FCUT;
}

bool ser_compute_real(ser_guard_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    *result = 0;
    if (width != FLOAT && width != DOUBLE)
        return false;
    if (op <= SER_GUARD_FDIV)
        return calculate(op, width, number_of(a, width), number_of(b, width), result);
    if (op == SER_GUARD_SIF || op == SER_GUARD_UIF)
        return make_real(op, width, a, result);
    if (op >= SER_GUARD_FSW)
        return convert(op, width, a, result);
    *result = compare(op, number_of(a, width), number_of(b, width));
    return true;
}
