/* SPDX-License-Identifier: MIT */
/* Floats stay floats: each operation is written down for both types. */
#include "witness/checker/reals.h"

#include <string.h>

typedef union small_real {
    float number;
    uint32_t bits;
} small_real;

typedef union large_real {
    double number;
    uint64_t bits;
} large_real;

static bool is_among(const char *name, const char *names)
{
    const char *at = strstr(names, name);
    return at && (at == names || at[-1] == ' ') && at[strlen(name)] == ' ';
}

unsigned ser_checker_real_operands(const char *name)
{
    if (is_among(name, "sif uif fsw fsl fuw ful fext fcut "))
        return 1;
    return is_among(name, "fadd fsub fmul fdiv foeq fogt foge folt fole fone fueq fugt fuge fult "
                          "fule fune ")
               ? 2
               : 0;
}

#define CALCULATE(name, a, b)                                                                      \
    ((name)[1] == 'a'   ? (a) + (b)                                                                \
     : (name)[1] == 's' ? (a) - (b)                                                                \
     : (name)[1] == 'm' ? (a) * (b)                                                                \
                        : (a) / (b))

static bool calculate_small(const char *name, uint64_t a, uint64_t b, uint64_t *result)
{
    small_real x = {.bits = (uint32_t)a}, y = {.bits = (uint32_t)b};
    small_real z = {.number = CALCULATE(name, x.number, y.number)};
    *result = z.bits;
    return z.number == z.number;
}

static bool calculate_large(const char *name, uint64_t a, uint64_t b, uint64_t *result)
{
    large_real x = {.bits = a}, y = {.bits = b};
    large_real z = {.number = CALCULATE(name, x.number, y.number)};
    *result = z.bits;
    return z.number == z.number;
}

static double value_of(uint64_t bits, unsigned width)
{
    if (width == 64)
        return ((large_real){.bits = bits}).number;
    return (double)((small_real){.bits = (uint32_t)bits}).number;
}

/* "foge": ordered or not, then the relation. */
static bool relates(const char *name, double a, double b)
{
    bool is_ordered = a == a && b == b, holds = false;
    if (!is_ordered)
        return name[1] == 'u';
    if (strcmp(name + 2, "ne") == 0)
        return a != b;
    holds |= name[2] == 'g' && a > b;
    holds |= name[2] == 'l' && a < b;
    holds |= name[3] != 't' && a == b;
    return holds;
}

static bool cut(const char *name, double value, uint64_t *result)
{
    bool is_signed = name[1] == 's', is_long = name[2] == 'l';
    double top = is_long ? 4294967296.0 * 4294967296.0 : 4294967296.0;
    double above = is_signed ? top / 2 : top;
    if (!(value < above) || !(is_signed ? value >= -above || value > -above - 1 : value > -1))
        return false;
    *result = is_signed ? (uint64_t)(int64_t)value : value < 0 ? 0 : (uint64_t)value;
    if (!is_long)
        *result &= UINT32_MAX;
    return true;
}

static bool make_real(const char *name, unsigned width, uint64_t whole, uint64_t *result)
{
    bool is_signed = *name == 's';
    small_real small = {.number = is_signed ? (float)(int64_t)whole : (float)whole};
    large_real large = {.number = is_signed ? (double)(int64_t)whole : (double)whole};
    *result = width == 64 ? large.bits : small.bits;
    return true;
}

static bool change_width(const char *name, unsigned width, uint64_t bits, uint64_t *result)
{
    bool extends = strcmp(name, "fext") == 0;
    double value = value_of(bits, width);
    large_real large = {.number = value};
    small_real small = {.number = (float)value};
    *result = extends ? large.bits : small.bits;
    return value == value && width == (extends ? 32u : 64u);
}

bool ser_checker_real(const char *name, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    if (width != 32 && width != 64)
        return false;
    if (strcmp(name + 1, "if") == 0)
        return make_real(name, width, b, result);
    if (strcmp(name, "fext") == 0 || strcmp(name, "fcut") == 0)
        return change_width(name, width, b, result);
    if (strlen(name) == 3)
        return cut(name, value_of(b, width), result);
    if (strchr("asmd", name[1]))
        return width == 64 ? calculate_large(name, a, b, result)
                           : calculate_small(name, a, b, result);
    *result = relates(name, value_of(a, width), value_of(b, width));
    return true;
}
