/* SPDX-License-Identifier: MIT */
/*
 * Types, texts and calls of the runtime. The runtime's functions are declared in
 * the module when they are first called, from contract/abi.def.
 */
#include "instrument/unit.h"

#include <stdio.h>

#include "base/status.h"
#include "instrument/naming/types.h"

/* The types of the table as letters: n nothing, p a pointer, 1 2 4 8 a whole number of so
 * many bytes. */
enum {
    LETTER_none = 'n',
    LETTER_u8 = '1',
    LETTER_u16 = '2',
    LETTER_u32 = '4',
    LETTER_u64 = '8',
    LETTER_size = '8',
    LETTER_number = '4',
    LETTER_pointer = 'p',
    LETTER_source = 'p',
    LETTER_text = 'p',
    LETTER_place = 'p',
};

enum { MOST_PARAMETERS = 4 };

/* The first letter is the result, the others are the parameters, and then a 0. */
typedef struct runtime_function {
    const char *name;
    char shape[1 + MOST_PARAMETERS + 1];
} runtime_function;

static const runtime_function runtime_functions[] = {
#define SER_ABI_0(r, name)         {"__seriatim_" #name, {LETTER_##r}},
#define SER_ABI_1(r, name, t1, p1) {"__seriatim_" #name, {LETTER_##r, LETTER_##t1}},
#define SER_ABI_2(r, name, t1, p1, t2, p2)                                                         \
    {"__seriatim_" #name, {LETTER_##r, LETTER_##t1, LETTER_##t2}},
#define SER_ABI_3(r, name, t1, p1, t2, p2, t3, p3)                                                 \
    {"__seriatim_" #name, {LETTER_##r, LETTER_##t1, LETTER_##t2, LETTER_##t3}},
#define SER_ABI_4(r, name, t1, p1, t2, p2, t3, p3, t4, p4)                                         \
    {"__seriatim_" #name, {LETTER_##r, LETTER_##t1, LETTER_##t2, LETTER_##t3, LETTER_##t4}},
#include "contract/abi.def"
};

/* The fields of a site. */
static const char site_shape[] = {
#define SER_ABI_FIELD(type, name) LETTER_##type,
#include "contract/abi.def"
};

static LLVMTypeRef type_of_letter(const ser_unit *unit, char letter)
{
    switch (letter) {
    case LETTER_none:
        return unit->none;
    case LETTER_u8:
        return unit->i8;
    case LETTER_u16:
        return unit->i16;
    case LETTER_u32:
        return unit->i32;
    case LETTER_u64:
        return unit->i64;
    default:
        return unit->pointer;
    }
}

static LLVMTypeRef make_site_type(const ser_unit *unit)
{
    LLVMTypeRef members[sizeof site_shape];
    for (size_t i = 0; i < sizeof site_shape; i++)
        members[i] = type_of_letter(unit, site_shape[i]);
    return LLVMStructTypeInContext(unit->context, members, sizeof site_shape, false);
}

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
        .declared = ser_names_create(),
    };
    unit->pointer = LLVMPointerType(unit->i8, 0);
    unit->site = make_site_type(unit);
}

void ser_unit_fini(ser_unit *unit)
{
    LLVMDisposeBuilder(unit->builder);
    ser_names_destroy(unit->texts);
    ser_names_destroy(unit->scopes);
    ser_names_destroy(unit->declared);
    ser_vector_free(&unit->text_values);
    ser_vector_free(&unit->scope_texts);
    ser_vector_free(&unit->stay_away);
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

static const runtime_function *look_up(const char *name)
{
    for (size_t i = 0; i < sizeof runtime_functions / sizeof *runtime_functions; i++)
        if (strcmp(runtime_functions[i].name, name) == 0)
            return &runtime_functions[i];
    return NULL;
}

static LLVMTypeRef type_of_shape(const ser_unit *unit, const char *shape)
{
    LLVMTypeRef parameters[MOST_PARAMETERS];
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
    LLVMAddAttributeAtIndex(function, where, attribute(unit, "nonlazybind")); /* no lazy binding */
    return LLVMConstBitCast(function, LLVMPointerType(type, 0));
}

LLVMValueRef ser_unit_call(ser_unit *unit, const char *name, LLVMValueRef *arguments,
                           unsigned count)
{
    const runtime_function *known = look_up(name);
    ser_check(known && strlen(known->shape) == count + 1);
    LLVMTypeRef type = type_of_shape(unit, known->shape);
    LLVMValueRef function = declare(unit, name, type), passed[MOST_PARAMETERS];
    for (unsigned i = 0; i < count; i++)
        passed[i] = known->shape[i + 1] == LETTER_pointer
                        ? LLVMBuildBitCast(unit->builder, arguments[i], unit->pointer, "")
                        : arguments[i];
    LLVMValueRef call = LLVMBuildCall2(unit->builder, type, function, passed, count, "");
    /* The callee expects small numbers to be widened by the caller. */
    for (unsigned i = 0; i < count; i++)
        if (known->shape[i + 1] == LETTER_u8 || known->shape[i + 1] == LETTER_u16)
            LLVMAddCallSiteAttribute(call, i + 1, attribute(unit, "zeroext"));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             attribute(unit, "nounwind"));
    return call;
}
