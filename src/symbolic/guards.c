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

/* "@17". */
static bool parse_key(ser_guards *guards, words word, ser_guard_step *step)
{
    uint64_t key;
    size_t index = 0;
    if (!parse_number((words){word.at + 1, word.end}, &key))
        return false;
    while (index < guards->keys.count && guards->keys.items[index] != key)
        index++;
    if (index == guards->keys.count)
        ser_vector_push(&guards->keys, key);
    *step = (ser_guard_step){.op = SER_GUARD_READ, .constant = index};
    return guards->keys.count <= SER_MOST_KEYS;
}

/* "$17", or "$17:1:5": the register, if there has been a round; "$17:0:5" is the number 5. */
static bool parse_register(ser_guards *guards, words word, ser_guard_step *step)
{
    words rest = {word.at + 1, word.end};
    uint64_t number, flag = 1, initial = 0;
    size_t index = 0;
    if (!parse_number(take_part(&rest, ':'), &number) ||
        (rest.at < rest.end && (!parse_number(take_part(&rest, ':'), &flag) || flag > 1 ||
                                !parse_number(rest, &initial))))
        return false;
    *step = (ser_guard_step){.op = SER_GUARD_CONSTANT, .constant = initial};
    if (!flag)
        return true;
    while (index < guards->registers.count && guards->registers.items[index] != number)
        index++;
    if (index == guards->registers.count)
        ser_vector_push(&guards->registers, number);
    *step = (ser_guard_step){.op = SER_GUARD_REGISTER, .constant = index};
    return guards->registers.count <= SER_MOST_REGISTERS;
}

static bool parse_word(ser_guards *guards, words word, bool may_name_reads, ser_guard_step *step)
{
    *step = (ser_guard_step){.op = SER_GUARD_VALUE};
    if (word.end - word.at == 1 && *word.at == 'v')
        return true;
    if (word.at < word.end && *word.at == '@')
        return may_name_reads && parse_key(guards, word, step);
    if (word.at < word.end && *word.at == '$')
        return may_name_reads && parse_register(guards, word, step);
    step->op = SER_GUARD_CONSTANT;
    return parse_number(word, &step->constant) || parse_operation(word, step);
}

/* One word, by which the stack grows or shrinks. */
static bool add_word(ser_guards *guards, words word, bool may_name_reads, unsigned *depth)
{
    ser_guard_step step;
    if (!parse_word(guards, word, may_name_reads, &step))
        return false;
    unsigned operands = step.op < SER_GUARD_VALUE ? OPERATIONS[step.op].operands : 0;
    if (*depth < operands || *depth - operands >= SER_GUARD_DEPTH)
        return false;
    *depth = *depth - operands + 1;
    ser_vector_push(&guards->steps, step);
    return true;
}

static bool add_expression(ser_guards *guards, words text, bool may_name_reads)
{
    unsigned depth = 0;
    bool is_late = may_name_reads && text.at < text.end && *text.at == '!';
    text.at += is_late;
    guards->late |= is_late && guards->count < SER_MOST_GUARDS ? UINT32_C(1) << guards->count : 0;
    bool good = guards->count < SER_MOST_GUARDS && text.at < text.end && text.end[-1] != ',';
    while (text.at < text.end && good)
        good = add_word(guards, take_part(&text, ','), may_name_reads, &depth);
    ser_vector_push(&guards->steps, ((ser_guard_step){.op = SER_GUARD_RESULT}));
    guards->count++;
    return good && depth == 1;
}

static bool parse(ser_guards *guards, const char *text, size_t length, bool may_name_reads)
{
    words rest = {text, text + length};
    bool good = length > 0 && text[length - 1] != ';';
    *guards = (ser_guards){0};
    while (rest.at < rest.end && good)
        good = add_expression(guards, take_part(&rest, ';'), may_name_reads);
    if (!good)
        ser_guards_fini(guards);
    return good;
}

bool ser_guards_parse(ser_guards *guards, const char *text, size_t length)
{
    return parse(guards, text, length, false);
}

bool ser_guards_parse_code(ser_guards *guards, const char *text, size_t length)
{
    return parse(guards, text, length, true);
}

const char *ser_guards_skip_delay(const char *text, unsigned *steps)
{
    *steps = 0;
    if (*text != '^')
        return text;
    for (text++; *text >= '0' && *text <= '9' && *steps < 1000; text++)
        *steps = 10 * *steps + (unsigned)(*text - '0');
    return *text == ';' ? text + 1 : text;
}

const char *ser_guards_skip_held(const char *text, uint64_t *held)
{
    if (*text != '<' || !parse_number((words){text + 1, text + strcspn(text, ";")}, held))
        return NULL;
    text += strcspn(text, ";");
    return *text == ';' ? text + 1 : text;
}

const char *ser_guards_skip_preface(const char *text)
{
    unsigned steps;
    uint64_t held;
    const char *behind = ser_guards_skip_held(text, &held);
    return behind ? behind : ser_guards_skip_delay(text, &steps);
}

void ser_guards_fini(ser_guards *guards)
{
    ser_vector_free(&guards->steps);
    ser_vector_free(&guards->keys);
    ser_vector_free(&guards->registers);
    guards->count = 0;
}

/* What a register has. */
typedef struct round_value {
    uint64_t value;
    bool bad, unknown; /* as of the expression that it was set to */
} round_value;

/* A machine in the middle of an expression. */
typedef struct machine {
    const ser_guard_inputs *inputs;
    round_value *registers;
    uint64_t stack[SER_GUARD_DEPTH + 1];
    unsigned depth;
    bool bad;     /* the expression has no result */
    bool unknown; /* it names a read that is not known */
} machine;

static void push(machine *at, uint64_t value)
{
    at->stack[at->depth++] = value;
}

static void push_read(machine *at, size_t index)
{
    at->unknown |= at->inputs->known && !at->inputs->known[index];
    push(at, at->unknown ? 0 : at->inputs->reads[index]);
}

static void push_register(machine *at, size_t index)
{
    at->bad |= at->registers[index].bad;
    at->unknown |= at->registers[index].unknown;
    push(at, at->registers[index].value);
}

/* One step on a stack that has enough operands. */
static void execute(machine *at, const ser_guard_step *step)
{
    uint64_t result = 0;
    if (step->op == SER_GUARD_VALUE) {
        push(at, at->inputs->value);
    } else if (step->op == SER_GUARD_CONSTANT) {
        push(at, step->constant);
    } else if (step->op == SER_GUARD_READ) {
        push_read(at, step->constant);
    } else if (step->op == SER_GUARD_REGISTER) {
        push_register(at, step->constant);
    } else if (step->op == SER_GUARD_SELECT) {
        at->depth -= 3;
        const uint64_t *of = &at->stack[at->depth];
        (void)ser_compute(SER_GUARD_TRUNC, step->width, of[0] ? of[1] : of[2], 0, &result);
        push(at, result);
    } else {
        at->depth -= OPERATIONS[step->op].operands;
        uint64_t a = at->stack[at->depth];
        uint64_t b = OPERATIONS[step->op].operands > 1 ? at->stack[at->depth + 1] : 0;
        at->bad |= !ser_compute((ser_guard_op)step->op, step->width, a, b, &result);
        push(at, result);
    }
}

bool ser_guards_compute(const ser_guards *guards, const ser_guard_inputs *inputs,
                        uint64_t results[SER_MOST_GUARDS], bool skips[SER_MOST_GUARDS])
{
    round_value registers[SER_MOST_REGISTERS] = {{0}};
    machine at = {.inputs = inputs, .registers = registers};
    size_t result = 0;
    for (size_t i = 0; i < guards->steps.count; i++) {
        const ser_guard_step *step = &guards->steps.items[i];
        if (step->op == SER_GUARD_SET) {
            registers[step->constant] = (round_value){at.stack[0], at.bad, at.unknown};
            at = (machine){.inputs = inputs, .registers = registers};
            continue;
        }
        if (step->op != SER_GUARD_RESULT) {
            execute(&at, step);
            continue;
        }
        if (at.bad && !at.unknown)
            return false;
        results[result] = at.stack[0];
        skips[result++] = at.unknown;
        at = (machine){.inputs = inputs, .registers = registers};
    }
    return true;
}

bool ser_guards_evaluate(const ser_guards *guards, uint64_t value,
                         uint64_t results[SER_MOST_GUARDS])
{
    const ser_guard_inputs inputs = {.value = value};
    bool skips[SER_MOST_GUARDS];
    return ser_guards_compute(guards, &inputs, results, skips);
}
