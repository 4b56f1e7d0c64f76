/* SPDX-License-Identifier: MIT */
/*
 * Types, texts and calls of the runtime. The runtime's functions are declared in
 * the module when they are first called, from the table below, which repeats
 * runtime/abi.h in the words of LLVM.
 */
#include "instrument/unit.h"

#include <stdio.h>

#include "base/status.h"
#include "instrument/types.h"

/* The first letter is the result, the others are the parameters: v nothing, p a
 * pointer, 1 2 4 8 a whole number of so many bytes. */
typedef struct runtime_function {
    const char *name, *shape;
} runtime_function;

#define ACCESSES(N)                                                                                \
    {"__seriatim_load" #N, #N "pp"}, {"__seriatim_store" #N, "vp" #N "p"},                         \
        {"__seriatim_atomic_load" #N, #N "pp"}, {"__seriatim_atomic_store" #N, "vp" #N "p"},       \
        {"__seriatim_atomic_rmw" #N, #N "p" #N "4p"},                                              \
    {                                                                                              \
        "__seriatim_atomic_compare_exchange" #N, #N "p" #N #N "p"                                  \
    }

static const runtime_function runtime_functions[] = {
    ACCESSES(1),
    ACCESSES(2),
    ACCESSES(4),
    ACCESSES(8),
    {"__seriatim_load_n", "vpp8p"},
    {"__seriatim_store_n", "vpp8p"},
    {"__seriatim_atomic_load16", "vppp"},
    {"__seriatim_atomic_store16", "vppp"},
    {"__seriatim_atomic_exchange16", "vpppp"},
    {"__seriatim_atomic_compare_exchange16", "4pppp"},
    {"__seriatim_memcpy", "ppp8p"},
    {"__seriatim_memmove", "ppp8p"},
    {"__seriatim_memset", "pp48p"},
    {"__seriatim_range_read", "vp8p"},
    {"__seriatim_range_written", "vp8p"},
    {"__seriatim_enter", "4p"},
    {"__seriatim_leave", "v4"},
    {"__seriatim_arrive", "v4"},
    {"__seriatim_at", "vp"},
    {"__seriatim_guard_load", "1pp"},
    {"__seriatim_local", "vp8p"},
    {"__seriatim_ignore_begin", "v"},
    {"__seriatim_ignore_end", "v"},
    {"__seriatim_semaphore_taken", "vp4"},
    {"__seriatim_semaphore_posted", "vp8"},
    {"__seriatim_atomic_begin", "vpp4p"},
    {"__seriatim_atomic_end", "vp4p"},
};

void ser_unit_init(ser_unit *unit, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    *unit = (ser_unit){
        .module = module,
        .context = context,
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(context),
        .none = LLVMVoidTypeInContext(context),
        .i1 = LLVMInt1TypeInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i16 = LLVMInt16TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .debug_kind = LLVMGetMDKindIDInContext(context, "dbg", 3),
        .tbaa_kind = LLVMGetMDKindIDInContext(context, "tbaa", 4),
        .texts = ser_names_create(),
        .scopes = ser_names_create(),
    };
    unit->pointer = LLVMPointerType(unit->i8, 0);
    LLVMTypeRef members[] = {unit->i32,     unit->i32,     unit->i32,    unit->i32,
                             unit->pointer, unit->pointer, unit->pointer};
    unit->site = LLVMStructTypeInContext(context, members, 7, false);
}

void ser_unit_fini(ser_unit *unit)
{
    LLVMDisposeBuilder(unit->builder);
    ser_names_destroy(unit->texts);
    ser_names_destroy(unit->scopes);
    ser_vector_free(&unit->text_values);
    ser_vector_free(&unit->scope_texts);
    ser_types_destroy(unit->types);
}

static LLVMValueRef make_text(ser_unit *unit, const char *text)
{
    LLVMValueRef bytes =
        LLVMConstStringInContext(unit->context, text, (unsigned)strlen(text), false);
    LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(bytes), "seriatim.text");
    LLVMSetInitializer(global, bytes);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, 1);
    return LLVMConstBitCast(global, unit->pointer);
}

LLVMValueRef ser_unit_text(ser_unit *unit, const char *text)
{
    if (!text)
        return LLVMConstNull(unit->pointer);
    uint32_t number = ser_names_add(unit->texts, text, strlen(text));
    if (number == unit->text_values.count)
        ser_vector_push(&unit->text_values, make_text(unit, text));
    return unit->text_values.items[number];
}

static LLVMTypeRef type_of_letter(const ser_unit *unit, char letter)
{
    switch (letter) {
    case 'v':
        return unit->none;
    case '1':
        return unit->i8;
    case '2':
        return unit->i16;
    case '4':
        return unit->i32;
    case '8':
        return unit->i64;
    default:
        return unit->pointer;
    }
}

static const runtime_function *look_up(const char *name)
{
    for (size_t i = 0; i < sizeof runtime_functions / sizeof *runtime_functions; i++)
        if (strcmp(runtime_functions[i].name, name) == 0)
            return &runtime_functions[i];
    return NULL;
}

static LLVMTypeRef type_of_shape(const ser_unit *unit, const char *shape)
{
    LLVMTypeRef parameters[8];
    unsigned count = 0;
    for (const char *letter = shape + 1; *letter; letter++)
        parameters[count++] = type_of_letter(unit, *letter);
    return LLVMFunctionType(type_of_letter(unit, *shape), parameters, count, false);
}

static LLVMAttributeRef attribute(const ser_unit *unit, const char *name)
{
    return LLVMCreateEnumAttribute(unit->context,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

static LLVMValueRef declare(ser_unit *unit, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (!function)
        function = LLVMAddFunction(unit->module, name, type);
    LLVMAttributeIndex where = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMAddAttributeAtIndex(function, where, attribute(unit, "nounwind"));
    LLVMAddAttributeAtIndex(function, where, attribute(unit, "nonlazybind")); /* no detour */
    return LLVMConstBitCast(function, LLVMPointerType(type, 0));
}

LLVMValueRef ser_unit_call(ser_unit *unit, const char *name, LLVMValueRef *arguments,
                           unsigned count)
{
    const runtime_function *known = look_up(name);
    ser_check(known && strlen(known->shape) == count + 1);
    LLVMTypeRef type = type_of_shape(unit, known->shape);
    LLVMValueRef function = declare(unit, name, type), passed[8];
    for (unsigned i = 0; i < count; i++)
        passed[i] = known->shape[i + 1] == 'p'
                        ? LLVMBuildBitCast(unit->builder, arguments[i], unit->pointer, "")
                        : arguments[i];
    LLVMValueRef call = LLVMBuildCall2(unit->builder, type, function, passed, count, "");
    /* The callee expects small numbers to be widened by the caller. */
    for (unsigned i = 0; i < count; i++)
        if (known->shape[i + 1] == '1' || known->shape[i + 1] == '2')
            LLVMAddCallSiteAttribute(call, i + 1, attribute(unit, "zeroext"));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             attribute(unit, "nounwind"));
    return call;
}
