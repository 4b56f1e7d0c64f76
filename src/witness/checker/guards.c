/* SPDX-License-Identifier: MIT */
/*
 * Numbers have 128 bits, so that an overflow is a number out of range. On the stack they are plain:
 * without sign. Operands are taken as signed ones.
 */
#include "witness/checker/guards.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "witness/checker/reals.h"

typedef __int128 number;

enum { DEPTH = 16, LONGEST_NAME = 7 };

typedef struct stack {
    number items[DEPTH];
    size_t count;
    bool bad;     /* no result */
    bool unknown; /* a key without a read */
} stack;

static number plain(number value, unsigned width)
{
    return value & (((number)1 << width) - 1);
}

static number with_sign(number value, unsigned width)
{
    number low = plain(value, width);
    return low >> (width - 1) & 1 ? low - ((number)1 << width) : low;
}

static void push(stack *to, number value)
{
    to->bad |= to->count == DEPTH;
    if (!to->bad)
        to->items[to->count++] = value;
}

static number pop(stack *from)
{
    from->bad |= from->count == 0;
    return from->bad ? 0 : from->items[--from->count];
}

static void push_in_range(stack *to, number value, unsigned width)
{
    to->bad |= value != with_sign(value, width);
    push(to, plain(value, width));
}

/* Is it that comparison, and what does it say? */
static bool compares(const char *name, number order, bool *result)
{
    if (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0) {
        *result = (order == 0) == (*name == 'e');
        return true;
    }
    if (strlen(name) != 3 || (name[1] != 'g' && name[1] != 'l'))
        return false;
    *result = name[1] == 'g' ? order > 0 : order < 0;
    *result |= name[2] == 'e' && order == 0;
    return name[2] == 'e' || name[2] == 't';
}

static void push_quotient(stack *to, const char *name, number a, number b, unsigned width)
{
    to->bad |= b == 0;
    if (to->bad)
        return;
    number result = strcmp(name + 1, "div") == 0 ? a / b : a % b;
    bool overflows = *name == 's' && a / b != with_sign(a / b, width);
    to->bad |= overflows;
    push(to, plain(result, width));
}

/* Operations of which signed and unsigned numbers have different results. */
static bool apply_by_sign(stack *to, const char *name, number a, number b, unsigned width)
{
    bool result;
    if (*name == 'u') {
        a = plain(a, width);
        b = plain(b, width);
    }
    if (strcmp(name + 1, "div") == 0 || strcmp(name + 1, "rem") == 0)
        push_quotient(to, name, a, b, width);
    else if (compares(name, a < b ? -1 : a > b, &result))
        push(to, result);
    else
        return false;
    return true;
}

static bool shift(stack *to, const char *name, number a, number b, unsigned width)
{
    b = plain(b, width);
    if (strcmp(name, "shl") != 0 && strcmp(name, "lshr") != 0 && strcmp(name, "ashr") != 0)
        return false;
    to->bad |= b >= (number)width;
    if (to->bad)
        return true;
    if (*name == 's')
        push_in_range(to, a * ((number)1 << b), width);
    else
        push(to, plain((*name == 'l' ? plain(a, width) : a) >> b, width));
    return true;
}

/* Of numbers without sign, as the 128 bits of a product are not enough for its sign. */
static bool calculate_and_cut(stack *to, const char *name, number a, number b, unsigned width)
{
    unsigned __int128 x = (unsigned __int128)plain(a, width),
                      y = (unsigned __int128)plain(b, width);
    if (strcmp(name, "wadd") == 0)
        push(to, plain((number)(x + y), width));
    else if (strcmp(name, "wsub") == 0)
        push(to, plain((number)(x - y), width));
    else if (strcmp(name, "wmul") == 0)
        push(to, plain((number)(x * y), width));
    else if (strcmp(name, "wshl") == 0 && y < width)
        push(to, plain((number)(x << y), width));
    else
        to->bad = true;
    return *name == 'w';
}

static bool calculate(stack *to, const char *name, number a, number b, unsigned width)
{
    if (strcmp(name, "add") == 0)
        push_in_range(to, a + b, width);
    else if (strcmp(name, "sub") == 0)
        push_in_range(to, a - b, width);
    else if (strcmp(name, "mul") == 0)
        push_in_range(to, a * b, width);
    else if (strcmp(name, "and") == 0)
        push(to, plain(a & b, width));
    else if (strcmp(name, "or") == 0)
        push(to, plain(a | b, width));
    else if (strcmp(name, "xor") == 0)
        push(to, plain(a ^ b, width));
    else
        return calculate_and_cut(to, name, a, b, width);
    return true;
}

static bool apply_to_reals(stack *to, const char *name, unsigned width)
{
    uint64_t b = (uint64_t)pop(to), a = 0, result = 0;
    if (ser_checker_real_operands(name) == 2)
        a = (uint64_t)pop(to);
    to->bad |= !ser_checker_real(name, width, a, b, &result);
    push(to, result);
    return true;
}

static bool apply(stack *to, const char *name, unsigned width)
{
    if (ser_checker_real_operands(name))
        return apply_to_reals(to, name, width);
    number b = with_sign(pop(to), width);
    if (strcmp(name, "trunc") == 0 || strcmp(name, "sext") == 0) {
        push(to, plain(b, *name == 't' ? width : 64));
        return true;
    }
    number a = with_sign(pop(to), width);
    if (strcmp(name, "sel") == 0) {
        push(to, plain(pop(to) != 0 ? a : b, width));
        return true;
    }
    return shift(to, name, a, b, width) || apply_by_sign(to, name, a, b, width) ||
           calculate(to, name, a, b, width);
}

static void push_read(stack *to, const ser_checker_words *words, uint64_t key)
{
    uint64_t value = 0;
    to->unknown |= !words->find || !words->find(words->context, key, &value);
    push(to, value);
}

/* "$17", or "$17:1:5": 5 instead if the second number is 0. Without its first part. */
static bool push_register(stack *to, const char **text, const ser_checker_words *words,
                          uint64_t index)
{
    uint64_t value = 0, flag = 1;
    if (**text == ':') {
        char *end;
        flag = strtoull(*text + 1, &end, 10);
        if (*end != ':' || flag > 1)
            return false;
        value = strtoull(end + 1, &end, 10);
        *text = end;
    }
    /* Unlike a read to come, a register that is not known makes the whole text wrong. */
    to->bad |=
        flag && (!words->find_register || !words->find_register(words->context, index, &value));
    push(to, value);
    return true;
}

/* The next word; false if it is none. */
static bool execute_word(stack *to, const char **text, const ser_checker_words *words)
{
    char name[LONGEST_NAME + 1] = "";
    size_t letters = strcspn(*text, "0123456789,;");
    if (letters > LONGEST_NAME)
        return false;
    memcpy(name, *text, letters);
    char *end = (char *)*text + letters;
    bool has_digits = *end >= '0' && *end <= '9';
    uint64_t digits = has_digits ? strtoull(end, &end, 10) : 0;
    *text = end;
    if (letters == 0 && has_digits)
        push(to, digits);
    else if (strcmp(name, "v") == 0 && !has_digits)
        push(to, words->value);
    else if (strcmp(name, "@") == 0 && has_digits)
        push_read(to, words, digits);
    else if (strcmp(name, "$") == 0 && has_digits)
        return push_register(to, text, words, digits);
    else
        return digits >= 1 && digits <= 64 && apply(to, name, (unsigned)digits);
    return true;
}

/* The result of the expression that the text begins with, up to a semicolon. Numbers of 64 bits are
 * equal if these bits are. */
static bool evaluate(const char **text, const ser_checker_words *words, uint64_t *result,
                     bool *unknown)
{
    stack values = {.count = 0};
    for (bool more = true; more;) {
        if (!execute_word(&values, text, words))
            return false;
        more = **text == ',';
        *text += more;
    }
    *result = (uint64_t)pop(&values);
    *unknown = values.unknown;
    return values.unknown || (!values.bad && values.count == 0);
}

bool ser_checker_evaluate(const char *text, const ser_checker_words *words, uint64_t *result)
{
    bool unknown;
    return evaluate(&text, words, result, &unknown) && !unknown && *text == '\0';
}

bool ser_checker_evaluate_first(const char *text, const ser_checker_words *words, uint64_t *result)
{
    bool unknown;
    return evaluate(&text, words, result, &unknown) && !unknown && (*text == ';' || *text == '\0');
}

bool ser_checker_guards_keep(const char *text, const ser_checker_words *one,
                             const ser_checker_words *other)
{
    while (*text) {
        bool is_late = *text == '!';
        const char *again = text += is_late;
        if (is_late && one->goes_on) {
            text += strcspn(text, ";");
            text += *text == ';';
            continue;
        }
        uint64_t result, other_result;
        bool unknown, also_unknown;
        if (!evaluate(&text, one, &result, &unknown) ||
            !evaluate(&again, other, &other_result, &also_unknown) ||
            (!unknown && result != other_result) || (*text != '\0' && *text != ';'))
            return false;
        text += *text == ';';
    }
    return true;
}

const char *ser_checker_behind_releases(const char *text)
{
    size_t length = *text == '^' || *text == '<' ? strcspn(text, ";") : 0;
    return text + length + (length && text[length] == ';');
}

bool ser_checker_guards_agree(const char *text, uint64_t value, uint64_t other)
{
    const ser_checker_words one = {.value = value}, two = {.value = other};
    text = ser_checker_behind_releases(text);
    return *text && !strpbrk(text, "@$!") && text[strlen(text) - 1] != ';' &&
           ser_checker_guards_keep(text, &one, &two);
}
