/* SPDX-License-Identifier: MIT */
#include "symbolic/arithmetic.h"

#include "symbolic/reals.h"

static uint64_t low_bits(uint64_t number, unsigned width)
{
    return width < 64 ? number & ((UINT64_C(1) << width) - 1) : number;
}

static int64_t signed_of(uint64_t number, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((low_bits(number, width) ^ sign) - sign);
}

/* Fits a sum, difference or product of two such numbers into the width? */
static bool fit(__int128 exact, unsigned width, uint64_t *result)
{
    __int128 limit = (__int128)1 << (width - 1);
    *result = low_bits((uint64_t)exact, width);
    return exact >= -limit && exact < limit;
}

static bool divide(ser_guard_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    int64_t x = signed_of(a, width), y = signed_of(b, width);
    bool is_signed = op == SER_GUARD_SDIV || op == SER_GUARD_SREM;
    if (b == 0 || (is_signed && y == -1 && x == signed_of(UINT64_C(1) << (width - 1), width)))
        return false;
    if (op == SER_GUARD_UDIV)
        *result = a / b;
    else if (op == SER_GUARD_UREM)
        *result = a % b;
    else
        *result = low_bits((uint64_t)(op == SER_GUARD_SDIV ? x / y : x % y), width);
    return true;
}

static bool shift(ser_guard_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    if (b >= width)
        return false;
    if (op == SER_GUARD_SHL)
        return fit((__int128)signed_of(a, width) * ((__int128)1 << b), width, result);
    *result = op == SER_GUARD_LSHR ? a >> b : low_bits((uint64_t)(signed_of(a, width) >> b), width);
    return true;
}

static bool compare(ser_guard_op op, uint64_t a, uint64_t b, int64_t x, int64_t y)
{
    switch (op) {
    case SER_GUARD_EQ:
        return a == b;
    case SER_GUARD_NE:
        return a != b;
    case SER_GUARD_UGT:
        return a > b;
    case SER_GUARD_UGE:
        return a >= b;
    case SER_GUARD_ULT:
        return a < b;
    case SER_GUARD_ULE:
        return a <= b;
    case SER_GUARD_SGT:
        return x > y;
    case SER_GUARD_SGE:
        return x >= y;
    case SER_GUARD_SLT:
        return x < y;
    default:
        return x <= y;
    }
}

bool ser_compute(ser_guard_op op, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    if (ser_is_of_reals(op))
        return ser_compute_real(op, width, a, b, result);
    a = low_bits(a, width);
    b = low_bits(b, width);
    int64_t x = signed_of(a, width), y = signed_of(b, width);
    switch (op) {
    case SER_GUARD_ADD:
        return fit((__int128)x + y, width, result);
    case SER_GUARD_SUB:
        return fit((__int128)x - y, width, result);
    case SER_GUARD_MUL:
        return fit((__int128)x * y, width, result);
    case SER_GUARD_UDIV:
    case SER_GUARD_SDIV:
    case SER_GUARD_UREM:
    case SER_GUARD_SREM:
        return divide(op, width, a, b, result);
    case SER_GUARD_SHL:
    case SER_GUARD_LSHR:
    case SER_GUARD_ASHR:
        return shift(op, width, a, b, result);
    case SER_GUARD_AND:
        *result = a & b;
        return true;
    case SER_GUARD_OR:
        *result = a | b;
        return true;
    case SER_GUARD_XOR:
        *result = a ^ b;
        return true;
    case SER_GUARD_TRUNC:
        *result = a;
        return true;
    case SER_GUARD_SEXT:
        *result = (uint64_t)x;
        return true;
    case SER_GUARD_WADD:
        *result = low_bits(a + b, width);
        return true;
    case SER_GUARD_WSUB:
        *result = low_bits(a - b, width);
        return true;
    case SER_GUARD_WMUL:
        *result = low_bits(a * b, width);
        return true;
    case SER_GUARD_WSHL:
        *result = b < width ? low_bits(a << b, width) : 0;
        return b < width;
    default:
        *result = compare(op, a, b, x, y);
        return true;
    }
}
