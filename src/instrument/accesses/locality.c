/* SPDX-License-Identifier: MIT */
#include "instrument/accesses/locality.h"

#include "instrument/accesses/library.h"
#include "instrument/unrecorded.h"

void ser_locality_init(ser_locality *locality)
{
    *locality = (ser_locality){.objects = ser_names_create()};
}

void ser_locality_fini(ser_locality *locality)
{
    ser_names_destroy(locality->objects);
    ser_vector_free(&locality->escapes);
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

LLVMValueRef ser_strip_offsets(LLVMValueRef pointer)
{
    for (;;) {
        LLVMOpcode opcode = opcode_of(pointer);
        bool of_thread = LLVMIsACallInst(pointer) &&
                         ser_starts_with(ser_called_name(pointer), "llvm.threadlocal.address");
        if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && !of_thread)
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

static LLVMTypeRef type_of(LLVMAttributeRef attribute)
{
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

LLVMTypeRef ser_type_passed_by_copy(LLVMValueRef call, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    return type_of(LLVMGetCallSiteEnumAttribute(call, argument + 1, kind));
}

bool ser_returns_through_memory(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    return LLVMGetCallSiteEnumAttribute(call, 1, kind) != NULL;
}

LLVMTypeRef ser_type_of_copy(LLVMValueRef value)
{
    if (!LLVMIsAArgument(value))
        return NULL;
    LLVMValueRef function = LLVMGetParamParent(value);
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == value)
            return type_of(LLVMGetEnumAttributeAtIndex(function, i + 1, kind));
    return NULL;
}

/* Intrinsics and calls of ours that do not keep the addresses they are given. */
static bool keeps_nothing(LLVMValueRef call)
{
    static const char *const harmless[] = {
        "llvm.lifetime.", "llvm.dbg.",       "llvm.memcpy.",     "llvm.memmove.",
        "llvm.memset.",   "llvm.invariant.", "llvm.objectsize.", "__seriatim_",
    };
    const char *name = ser_called_name(call);
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (ser_starts_with(name, harmless[i]))
            return true;
    return false;
}

static bool call_keeps(LLVMValueRef call, LLVMValueRef pointer)
{
    if (keeps_nothing(call))
        return false;
    const ser_library_function *known = ser_library_find(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetOperand(call, i) == pointer && !ser_type_passed_by_copy(call, i) &&
            !(known && ser_library_forgets(known, call, i)))
            return true;
    return LLVMGetCalledValue(call) == pointer;
}

typedef enum fate { USE_HARMLESS, USE_DERIVES, USE_ESCAPES } fate;

/* What becomes of a pointer where it is used. */
static fate judge(LLVMValueRef user, LLVMValueRef pointer)
{
    if (ser_is_in_copy(user))
        return USE_HARMLESS;
    switch (opcode_of(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return USE_HARMLESS;
    case LLVMStore:
        return LLVMGetOperand(user, 0) == pointer ? USE_ESCAPES : USE_HARMLESS;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        for (int i = 1; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == pointer)
                return USE_ESCAPES;
        return USE_HARMLESS;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
        return USE_DERIVES;
    case LLVMCall:
        if (ser_starts_with(ser_called_name(user), "llvm.threadlocal.address"))
            return USE_DERIVES;
        return call_keeps(user, pointer) ? USE_ESCAPES : USE_HARMLESS;
    case LLVMInvoke:
        return call_keeps(user, pointer) ? USE_ESCAPES : USE_HARMLESS;
    default:
        return USE_ESCAPES;
    }
}

/* Follows the object through all pointers made of it. */
static bool find_escape(LLVMValueRef object)
{
    ser_names *seen = ser_names_create();
    ser_values work = {0};
    bool found = false;
    ser_vector_push(&work, object);
    for (size_t i = 0; i < work.count && !found; i++) {
        LLVMValueRef pointer = work.items[i];
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !found; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            fate kind = judge(user, pointer);
            found = kind == USE_ESCAPES;
            uint32_t count = ser_names_count(seen);
            if (kind == USE_DERIVES &&
                ser_names_add(seen, (const char *)&user, sizeof user) == count)
                ser_vector_push(&work, user);
        }
    }
    ser_vector_free(&work);
    ser_names_destroy(seen);
    return found;
}

bool ser_escapes(ser_locality *locality, LLVMValueRef object)
{
    uint32_t number = ser_names_add(locality->objects, (const char *)&object, sizeof object);
    if (number == locality->escapes.count)
        ser_vector_push(&locality->escapes, find_escape(object));
    return locality->escapes.items[number];
}

/* Counters of coverage and profiles, and what LLVM itself keeps. */
static bool is_of_compiler(LLVMValueRef global)
{
    static const char *const prefixes[] = {"llvm.", "__llvm_", "__profc_", "__profd_", "__sancov"};
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (ser_starts_with(name, prefixes[i]))
            return true;
    return false;
}

static bool is_private_global(ser_locality *locality, LLVMValueRef global)
{
    if (LLVMIsGlobalConstant(global) || is_of_compiler(global))
        return true;
    LLVMLinkage linkage = LLVMGetLinkage(global);
    bool here_only = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    return LLVMIsThreadLocal(global) && here_only && !ser_escapes(locality, global);
}

bool ser_is_of_vtable(const ser_unit *unit, LLVMValueRef access)
{
    LLVMValueRef tag = LLVMGetMetadata(access, unit->tbaa_kind);
    LLVMValueRef operands[8];
    if (!tag || LLVMGetMDNodeNumOperands(tag) < 2 || LLVMGetMDNodeNumOperands(tag) > 8)
        return false;
    LLVMGetMDNodeOperands(tag, operands);
    LLVMValueRef type = operands[1];
    if (!type || !LLVMIsAMDNode(type) || LLVMGetMDNodeNumOperands(type) == 0 ||
        LLVMGetMDNodeNumOperands(type) > 8)
        return false;
    LLVMGetMDNodeOperands(type, operands);
    unsigned length;
    const char *name = operands[0] ? LLVMGetMDString(operands[0], &length) : NULL;
    return name && strcmp(name, "vtable pointer") == 0;
}

static bool is_private(ser_locality *locality, const ser_unit *unit, LLVMValueRef pointer,
                       int steps)
{
    LLVMValueRef base = ser_strip_offsets(pointer);
    if (LLVMIsAAllocaInst(base) || ser_type_of_copy(base))
        return !ser_escapes(locality, base);
    if (LLVMIsAGlobalVariable(base))
        return is_private_global(locality, base);
    if (LLVMIsALoadInst(base))
        return ser_is_of_vtable(unit, base);
    unsigned first = LLVMIsASelectInst(base) ? 1 : 0;
    if (steps == 0 || !(first || LLVMIsAPHINode(base)))
        return false;
    for (int i = (int)first; i < LLVMGetNumOperands(base); i++)
        if (!is_private(locality, unit, LLVMGetOperand(base, (unsigned)i), steps - 1))
            return false;
    return true;
}

bool ser_is_private(ser_locality *locality, const ser_unit *unit, LLVMValueRef pointer)
{
    const int steps = 3; /* through that many merges of pointers */
    return is_private(locality, unit, pointer, steps);
}
