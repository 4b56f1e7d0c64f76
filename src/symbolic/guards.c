/* SPDX-License-Identifier: MIT */
#include "symbolic/guards.h"

#include <string.h>

#include "symbolic/arithmetic.h"

/* A row of characters that is taken apart from its start. */
typedef struct words {
    const char *at, *end;
} words;

static const struct {
    const char *name;
    uint8_t operands;
} OPERATIONS[] = {
#define SER_GUARD_OPERATION(symbol, name, operands) {name, operands},
#include "contract/guards.def"
};

/* The part up to the separator, which is passed over. */
static words take_part(words *rest, char separator)
{
    const char *end = memchr(rest->at, separator, (size_t)(rest->end - rest->at));
    words part = {rest->at, end ? end : rest->end};
    rest->at = end ? end + 1 : rest->end;
    return part;
}

static bool parse_number(words text, uint64_t *number)
{
    bool fits = text.at < text.end;
    *number = 0;
    for (; text.at < text.end && fits; text.at++) {
        fits = *text.at >= '0' && *text.at <= '9' &&
               !__builtin_mul_overflow(*number, (uint64_t)10, number) &&
               !__builtin_add_overflow(*number, (uint64_t)(*text.at - '0'), number);
    }
    return fits;
}

static bool find_operation(const char *name, size_t length, uint8_t *op)
{
    for (uint8_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++)
        if (strlen(OPERATIONS[i].name) == length && memcmp(OPERATIONS[i].name, name, length) == 0) {
            *op = i;
            return true;
        }
    return false;
}

/* "sgt32". */
static bool parse_operation(words word, ser_guard_step *step)
{
    const char *digits = word.at;
    uint64_t width;
    while (digits < word.end && (*digits < '0' || *digits > '9'))
        digits++;
    if (!find_operation(word.at, (size_t)(digits - word.at), &step->op) ||
        !parse_number((words){digits, word.end}, &width) || width == 0 || width > 64)
        return false;
    step->width = (uint8_t)width;
    return true;
}

static bool parse_word(words word, ser_guard_step *step)
{
    *step = (ser_guard_step){.op = SER_GUARD_VALUE};
    if (word.end - word.at == 1 && *word.at == 'v')
        return true;
    step->op = SER_GUARD_CONSTANT;
    return parse_number(word, &step->constant) || parse_operation(word, step);
}

/* One word, by which the stack grows or shrinks. */
static bool add_word(ser_guards *guards, words word, unsigned *depth)
{
    ser_guard_step step;
    if (!parse_word(word, &step))
        return false;
    unsigned operands = step.op < SER_GUARD_VALUE ? OPERATIONS[step.op].operands : 0;
    if (*depth < operands || *depth - operands >= SER_GUARD_DEPTH)
        return false;
    *depth = *depth - operands + 1;
    ser_vector_push(&guards->steps, step);
    return true;
}

static bool add_expression(ser_guards *guards, words text)
{
    unsigned depth = 0;
    bool good = guards->count < SER_MOST_GUARDS && text.at < text.end && text.end[-1] != ',';
    while (text.at < text.end && good)
        good = add_word(guards, take_part(&text, ','), &depth);
    ser_vector_push(&guards->steps, ((ser_guard_step){.op = SER_GUARD_RESULT}));
    guards->count++;
    return good && depth == 1;
}

bool ser_guards_parse(ser_guards *guards, const char *text, size_t length)
{
    words rest = {text, text + length};
    bool good = length > 0 && text[length - 1] != ';';
    *guards = (ser_guards){0};
    while (rest.at < rest.end && good)
        good = add_expression(guards, take_part(&rest, ';'));
    if (!good)
        ser_guards_fini(guards);
    return good;
}

void ser_guards_fini(ser_guards *guards)
{
    ser_vector_free(&guards->steps);
    guards->count = 0;
}

/* One step on a stack that has enough operands. */
static bool execute(const ser_guard_step *step, uint64_t value, uint64_t *stack, unsigned *depth)
{
    if (step->op == SER_GUARD_VALUE || step->op == SER_GUARD_CONSTANT) {
        stack[(*depth)++] = step->op == SER_GUARD_VALUE ? value : step->constant;
        return true;
    }
    *depth -= OPERATIONS[step->op].operands;
    uint64_t a = stack[*depth], b = OPERATIONS[step->op].operands > 1 ? stack[*depth + 1] : 0;
    return ser_compute((ser_guard_op)step->op, step->width, a, b, &stack[(*depth)++]);
}

bool ser_guards_evaluate(const ser_guards *guards, uint64_t value,
                         uint64_t results[SER_MOST_GUARDS])
{
    uint64_t stack[SER_GUARD_DEPTH + 1] = {0};
    unsigned depth = 0;
    size_t result = 0;
    for (size_t i = 0; i < guards->steps.count; i++) {
        const ser_guard_step *step = &guards->steps.items[i];
        if (step->op == SER_GUARD_RESULT)
            results[result++] = stack[--depth];
        else if (!execute(step, value, stack, &depth))
            return false;
    }
    return true;
}
