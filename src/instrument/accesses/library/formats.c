/* SPDX-License-Identifier: MIT */
/*
 * What printf and scanf do with their arguments follows from the format, where that is a constant:
 * the strings that are printed are read, and what is scanned is written, as far as the result says
 * that it was.
 */
#include <limits.h>

#include "instrument/accesses/library/library.h"
#include "instrument/accesses/locality.h"

/* One conversion, taken apart. */
typedef struct conversion {
    char letter;
    unsigned size;   /* of an integer that is stored: by h, l, ... */
    bool real;       /* l or L: of a floating-point number that is stored */
    bool suppressed; /* scanf: * */
    bool allocates;  /* scanf: m */
    unsigned width;  /* 0: none */
    unsigned bound;  /* printf: the precision; UINT_MAX: none */
    bool bound_is_argument;
} conversion;

typedef struct reader {
    const char *at, *end;
    LLVMValueRef call;
    unsigned next;    /* argument */
    unsigned ordinal; /* of what was scanned so far */
    ser_effect_list *effects;
} reader;

static bool accept(reader *read, char letter)
{
    if (read->at == read->end || *read->at != letter)
        return false;
    read->at++;
    return true;
}

static unsigned read_number(reader *read)
{
    unsigned number = 0;
    while (read->at < read->end && *read->at >= '0' && *read->at <= '9' && number < UINT_MAX / 16)
        number = number * 10 + (unsigned)(*read->at++ - '0');
    return number;
}

static void read_length(reader *read, conversion *found)
{
    found->size = 4;
    for (; read->at < read->end && strchr("hlqjztL", *read->at); read->at++) {
        found->real |= *read->at == 'l' || *read->at == 'L';
        if (*read->at != 'h')
            found->size = 8;
        else
            found->size = found->size == 2 ? 1 : 2;
    }
}

/* The set of %[...]; false: it does not end. */
static bool skip_set(reader *read)
{
    accept(read, '^');
    accept(read, ']');
    while (read->at < read->end && *read->at != ']')
        read->at++;
    return accept(read, ']');
}

static bool add(reader *read, unsigned argument, ser_effect effect)
{
    bool fits =
        argument < SER_TO_RESULT && argument < LLVMGetNumArgOperands(read->call) &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(read->call, argument))) == LLVMPointerTypeKind;
    if (!fits)
        return false;
    effect.pointer = (unsigned char)argument;
    ser_vector_push(read->effects, effect);
    return true;
}

/* --- printf ------------------------------------------------------------------- */

static void read_precision(reader *read, conversion *found)
{
    found->bound = UINT_MAX;
    if (!accept(read, '.'))
        return;
    found->bound_is_argument = accept(read, '*');
    if (found->bound_is_argument)
        read->next++;
    else
        found->bound = read_number(read);
}

static bool print(reader *read, const conversion *found)
{
    unsigned argument = read->next;
    if (found->letter == '%' || found->letter == 'm')
        return true;
    read->next++;
    if (found->letter == 'n')
        return add(read, argument,
                   (ser_effect){'w', 0, SER_SIZE_CONSTANT, (unsigned char)found->size, 0});
    if (found->letter != 's')
        return found->letter != 'S';
    if (found->size == 8) /* wide characters */
        return false;
    ser_effect effect = {'r', 0, SER_SIZE_PRINTED_STRING, (unsigned char)argument, 0};
    if (found->bound_is_argument) {
        effect.measure = SER_SIZE_BOUNDED;
        effect.argument = (unsigned char)(argument - 1);
    } else if (found->bound <= UCHAR_MAX) {
        effect.measure = SER_SIZE_AT_MOST;
        effect.argument = (unsigned char)found->bound;
    }
    return add(read, argument, effect);
}

static bool read_printed(reader *read)
{
    conversion found = {0};
    while (read->at < read->end && strchr("-+ #0'", *read->at))
        read->at++;
    if (accept(read, '*'))
        read->next++;
    else
        read_number(read);
    read_precision(read, &found);
    read_length(read, &found);
    if (read->at == read->end || *read->at == '$')
        return false;
    found.letter = *read->at++;
    return print(read, &found);
}

/* --- scanf -------------------------------------------------------------------- */

static unsigned size_scanned(const conversion *found)
{
    if (strchr("diouxX", found->letter))
        return found->size;
    if (strchr("aAeEfFgG", found->letter))
        return found->size == 8 && !found->real ? 0 : found->size;
    return found->letter == 'p' ? 8 : 0;
}

static bool scan(reader *read, const conversion *found)
{
    unsigned argument = read->next;
    if (found->letter == '%' || found->suppressed)
        return true;
    read->next++;
    ser_effect effect = {'w', 0, SER_SIZE_SCANNED, (unsigned char)found->size, 0};
    if (found->letter == 'n') {
        effect.ordinal = (unsigned char)read->ordinal;
        return add(read, argument, effect);
    }
    effect.ordinal = (unsigned char)++read->ordinal;
    if (found->allocates) {
        effect.argument = 8;
    } else if (found->letter == 's' || found->letter == '[') {
        effect.measure = SER_SIZE_SCANNED_STRING;
    } else if (found->letter == 'c' && found->width <= UCHAR_MAX) {
        effect.argument = (unsigned char)(found->width ? found->width : 1);
    } else {
        unsigned size = size_scanned(found);
        if (size == 0)
            return false;
        effect.argument = (unsigned char)size;
    }
    return read->ordinal <= UCHAR_MAX && add(read, argument, effect);
}

static bool read_scanned(reader *read)
{
    conversion found = {0};
    found.suppressed = accept(read, '*');
    found.width = read_number(read);
    found.allocates = accept(read, 'm');
    const char *length = read->at;
    read_length(read, &found);
    bool has_length = read->at > length;
    if (read->at == read->end || *read->at == '$')
        return false;
    found.letter = *read->at++;
    bool is_text = strchr("sc[", found.letter) != NULL;
    if (found.letter == '[' && !skip_set(read))
        return false;
    if (has_length && is_text) /* wide characters */
        return false;
    if (has_length && memchr(length, 'L', (size_t)(read->at - length))) /* a long double */
        return false;
    return scan(read, &found);
}

/* The text that a constant pointer points to; NULL if that is not known. */
static const char *constant_text(LLVMValueRef pointer, size_t *length)
{
    LLVMValueRef global = LLVMIsAGlobalVariable(ser_strip_offsets(pointer));
    LLVMValueRef text = global && LLVMIsGlobalConstant(global) ? LLVMGetInitializer(global) : NULL;
    return text && LLVMIsConstantString(text) ? LLVMGetAsString(text, length) : NULL;
}

/* The format of the call; NULL if it is not known. */
static const char *format_of(const ser_library_function *function, LLVMValueRef call,
                             size_t *length)
{
    return function->conversions == SER_ANY_FORMAT || function->conversions == SER_NO_FORMAT
               ? NULL
               : constant_text(LLVMGetOperand(call, function->format), length);
}

bool ser_format_effects(const ser_library_function *function, LLVMValueRef call,
                        ser_effect_list *effects)
{
    size_t length = 0;
    const char *text = format_of(function, call, &length);
    if (!text)
        return false;
    reader read = {text, text + strnlen(text, length), call, function->format + 1U, 0, effects};
    while (read.at < read.end)
        if (*read.at++ == '%' &&
            !(function->conversions == SER_SCANS ? read_scanned(&read) : read_printed(&read)))
            return false;
    return true;
}

bool ser_format_has_sizes(const ser_library_function *function, LLVMValueRef call)
{
    size_t length = 0;
    const char *text = format_of(function, call, &length);
    return !text || memchr(text, '*', length);
}
