/* SPDX-License-Identifier: MIT */
/*
 * A function that is called "lock" or "unlock" is taken at its word: the recorder finds out whether
 * the calls of a run keep to the rules of locks (record/memory/handovers.h).
 */
#include "instrument/accesses/meetings.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <strings.h>

#include "contract/abi.h"
#include "instrument/instrument.h"

/* Pointers beyond these are results, texts and options rather than what threads meet at. */
enum { MOST_OBJECTS = 2 };

typedef struct word {
    const char *start;
    size_t length;
} word;

/* The function's own name: of _ZN4absl5Mutex4LockEv "Lock"; of other names all. */
static word own_name(const char *symbol)
{
    word name = {symbol, strlen(symbol)};
    if (!ser_starts_with(symbol, "_ZN"))
        return name;
    const char *at = symbol + strlen("_ZN");
    at += strspn(at, "rVKRO");
    while (isdigit((unsigned char)*at)) {
        char *after;
        unsigned long length = strtoul(at, &after, 10);
        if (length > strlen(after))
            break;
        name = (word){after, length};
        at = after + length;
    }
    return name;
}

/* Does the name end with this word? Not "block" with "lock", but try_lock, TryLock. */
static bool ends_with_word(word name, const char *lower)
{
    size_t length = strlen(lower);
    if (name.length < length)
        return false;
    const char *end = name.start + name.length - length;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)end[i]) != lower[i])
            return false;
    return end == name.start || !isalpha((unsigned char)end[-1]) || isupper((unsigned char)*end);
}

static bool ends_with_one(word name, const char *const *words)
{
    for (; *words; words++)
        if (ends_with_word(name, *words))
            return true;
    return false;
}

/* Is there something before the last word that takes it back: try, read, shared? */
static bool has_doubt(word name)
{
    static const char *const doubts[] = {"try", "read", "rd", "share", "assert", "is", NULL};
    for (const char *const *doubt = doubts; *doubt; doubt++)
        for (size_t i = 0; i + strlen(*doubt) <= name.length; i++)
            if (strncasecmp(name.start + i, *doubt, strlen(*doubt)) == 0)
                return true;
    return false;
}

static unsigned deed_of(LLVMValueRef call)
{
    static const char *const unlocks[] = {"unlock", "release", "leave", "exit", NULL};
    static const char *const locks[] = {"lock", "acquire", "enter", NULL};
    if (!ser_called_function(call))
        return SER_ABI_USES;
    word name = own_name(ser_called_name(call));
    if (has_doubt(name))
        return SER_ABI_USES;
    if (ends_with_one(name, unlocks))
        return SER_ABI_UNLOCKS;
    return ends_with_one(name, locks) ? SER_ABI_LOCKS : SER_ABI_USES;
}

static bool is_constant(LLVMValueRef pointer)
{
    LLVMValueRef base = ser_strip_offsets(pointer);
    return LLVMIsAConstantPointerNull(base) || LLVMIsAFunction(base) ||
           (LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base));
}

static bool returns_by(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind) != NULL;
}

/* May other threads come to what the argument points to? */
static bool is_object(ser_body *body, LLVMValueRef call, unsigned argument)
{
    LLVMValueRef pointer = LLVMGetOperand(call, argument);
    return LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
           !returns_by(call, argument) && !ser_type_passed_by_copy(call, argument) &&
           !is_constant(pointer) && !ser_is_private(body->locality, body->unit, pointer);
}

typedef struct meeting {
    LLVMValueRef objects[MOST_OBJECTS];
    unsigned count, deed;
} meeting;

static void tell(ser_unit *unit, LLVMValueRef call, ser_outside_call how, const meeting *met,
                 unsigned stage)
{
    LLVMSetCurrentDebugLocation2(unit->builder, LLVMInstructionGetDebugLoc(call));
    for (unsigned i = 0; i < met->count; i++)
        SER_CALL(unit, "__seriatim_meets", LLVMGetCalledValue(call), met->objects[i],
                 LLVMConstInt(unit->i32, met->deed, false),
                 ser_stage_outside(unit, call, how, stage));
}

void ser_tell_meetings(ser_body *body, LLVMValueRef call, ser_outside_call how)
{
    if ((how != SER_OUTSIDE_PERHAPS && how != SER_OUTSIDE_POINTER) || ser_must_tail(call))
        return;
    meeting met = {.deed = deed_of(call)};
    unsigned most = met.deed == SER_ABI_USES && how == SER_OUTSIDE_PERHAPS ? MOST_OBJECTS : 1;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && met.count < most; i++)
        if (is_object(body, call, i))
            met.objects[met.count++] = LLVMGetOperand(call, i);
    LLVMValueRef after = ser_place_after(call);
    LLVMPositionBuilderBefore(body->unit->builder, call);
    tell(body->unit, call, how, &met, SER_ABI_LEAVES);
    if (!after)
        return;
    LLVMPositionBuilderBefore(body->unit->builder, after);
    tell(body->unit, call, how, &met, SER_ABI_RETURNS);
}
