/* SPDX-License-Identifier: MIT */
/*
 * Names of accesses. The pointer of an access is traced back through offsets to what it points
 * into. Structures on that path give the member: the innermost that debug information has counts.
 * The path ends at a variable, or at a pointer that was itself loaded from somewhere with a name.
 */
#include "instrument/naming/variables.h"

#include <stdio.h>

#include "base/cxx_names.h"
#include "instrument/accesses/locality.h"
#include "instrument/instrument.h"
#include "instrument/naming/debug_info.h"
#include "instrument/naming/fields.h"

/* An intrinsic that says what variable a value, or the memory at it, is: the place of
 * the value among its operands, or -1. llvm.dbg.assign has the memory fifth. */
static int find_value(LLVMValueRef call)
{
    const char *name = ser_called_name(call);
    if (strcmp(name, "llvm.dbg.declare") == 0 || strcmp(name, "llvm.dbg.value") == 0)
        return 0;
    return strcmp(name, "llvm.dbg.assign") == 0 ? 4 : -1;
}

static void note_variable(ser_variables *variables, LLVMValueRef call, unsigned operand)
{
    LLVMValueRef wrapped = LLVMGetOperand(call, operand), value;
    if (ser_node_kind(wrapped) != LLVMLocalAsMetadataMetadataKind)
        return;
    LLVMGetMDNodeOperands(wrapped, &value);
    uint32_t number = ser_names_add(variables->values, (const char *)&value, sizeof value);
    if (number == variables->nodes.count)
        ser_vector_push(&variables->nodes, LLVMGetOperand(call, 1));
}

void ser_variables_init(ser_variables *variables, LLVMValueRef function)
{
    *variables = (ser_variables){.values = ser_names_create()};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            int operand = LLVMIsACallInst(instruction) ? find_value(instruction) : -1;
            if (operand >= 0)
                note_variable(variables, instruction, (unsigned)operand);
        }
}

void ser_variables_fini(ser_variables *variables)
{
    ser_names_destroy(variables->values);
    ser_vector_free(&variables->nodes);
}

static LLVMValueRef variable_of_global(const ser_unit *unit, LLVMValueRef global)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef found = NULL;
    for (unsigned i = 0; i < count && !found; i++)
        if (LLVMValueMetadataEntriesGetKind(entries, i) == unit->debug_kind)
            found = LLVMDIGlobalVariableExpressionGetVariable(
                LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
    return found ? LLVMMetadataAsValue(unit->context, found) : NULL;
}

LLVMValueRef ser_variable_of(const ser_unit *unit, const ser_variables *variables,
                             LLVMValueRef value)
{
    if (LLVMIsAGlobalVariable(value))
        return variable_of_global(unit, value);
    uint32_t number = ser_names_find(variables->values, (const char *)&value, sizeof value);
    return number == SER_NO_NAME ? NULL : variables->nodes.items[number];
}

/* What the path back from the access has shown so far. */
typedef struct way {
    ser_unit *unit;
    uint64_t offset, size; /* of the access in what the pointer points to */
    char field[SER_NAME_SIZE];
    char structure[SER_NAME_SIZE];
} way;

static void try_structure(way *trail, LLVMTypeRef structure, uint64_t offset)
{
    if (trail->field[0])
        return;
    if (ser_field_of_structure(trail->unit, structure, offset, trail->size, trail->field,
                               sizeof trail->field))
        ser_name_structure(structure, trail->structure, sizeof trail->structure);
    else
        trail->field[0] = '\0';
}

enum { MOST_LEVELS = 16 };

typedef struct level {
    LLVMTypeRef structure;
    uint64_t offset;
} level;

/* The structures that the indices of a GEP go through, from the outside. */
static unsigned list_levels(const way *trail, LLVMValueRef gep, level levels[MOST_LEVELS])
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned count = 0;
    for (int i = 2; i < LLVMGetNumOperands(gep) && type; i++) {
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (kind == LLVMStructTypeKind && LLVMIsAConstantInt(index) && count < MOST_LEVELS) {
            unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
            levels[count++] =
                (level){type, LLVMOffsetOfElement(trail->unit->layout, type, element)};
            type = LLVMStructGetTypeAtIndex(type, element);
        } else {
            type = kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind
                       ? LLVMGetElementType(type)
                       : NULL;
        }
    }
    return count;
}

static void follow_offsets(way *trail, LLVMValueRef gep)
{
    level levels[MOST_LEVELS];
    unsigned count = list_levels(trail, gep, levels);
    while (count--) {
        trail->offset += levels[count].offset;
        try_structure(trail, levels[count].structure, trail->offset);
    }
}

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

/* A cast, or (LLVM 15 and newer) this thread's instance of a variable. */
static bool is_cast(LLVMValueRef value)
{
    return LLVMIsABitCastInst(value) ||
           (LLVMIsACallInst(value) &&
            ser_starts_with(ser_called_name(value), "llvm.threadlocal.address")) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMBitCast);
}

static LLVMValueRef walk_back(way *trail, LLVMValueRef pointer)
{
    while (is_gep(pointer) || is_cast(pointer)) {
        if (is_gep(pointer))
            follow_offsets(trail, pointer);
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

/* "a of b" or one of them; false if there is neither. */
static bool compose(const char *field, const char *whole, char name[SER_NAME_SIZE])
{
    if (field[0] && whole[0])
        snprintf(name, SER_NAME_SIZE, "%.*s of %.*s", SER_NAME_SIZE / 2, field,
                 SER_NAME_SIZE / 2 - 8, whole);
    else
        snprintf(name, SER_NAME_SIZE, "%s", field[0] ? field : whole);
    return name[0];
}

/* A variable's own type may know the member where LLVM's structure does not. */
static void try_variable(way *trail, LLVMValueRef variable)
{
    LLVMValueRef type = ser_node_operand(variable, SER_VARIABLE_TYPE);
    if (!trail->field[0] && type &&
        !ser_field_of_node(type, trail->offset, trail->size, trail->field, sizeof trail->field))
        trail->field[0] = '\0';
}

static bool name_in_local(way *trail, LLVMValueRef variable, char name[SER_NAME_SIZE])
{
    const char *whole = ser_node_text(variable, SER_VARIABLE_NAME);
    try_variable(trail, variable);
    return compose(trail->field, whole ? whole : trail->structure, name);
}

/* In C++ the symbol has the scopes, too; in C it may have a number at its end. */
static bool name_in_global(way *trail, LLVMValueRef global, char name[SER_NAME_SIZE])
{
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length);
    LLVMValueRef variable = ser_variable_of(trail->unit, NULL, global);
    const char *whole = variable ? ser_node_text(variable, SER_VARIABLE_NAME) : NULL;
    char *demangled = ser_llvm_demangle(symbol);
    if (variable)
        try_variable(trail, variable);
    if (demangled) {
        ser_drop_abi_tags(demangled);
        whole = demangled;
    }
    bool named = compose(trail->field, whole ? whole : symbol, name);
    free(demangled);
    return named;
}

static bool name_access(ser_unit *unit, const ser_variables *variables, LLVMValueRef pointer,
                        uint64_t size, int steps, char name[SER_NAME_SIZE])
{
    way trail = {.unit = unit, .size = size};
    LLVMValueRef base = walk_back(&trail, pointer);
    if (LLVMIsAGlobalVariable(base))
        return name_in_global(&trail, base, name);
    LLVMValueRef variable = ser_variable_of(unit, variables, base);
    if (variable && LLVMIsAAllocaInst(base))
        return name_in_local(&trail, variable, name);
    if (compose(trail.field, trail.structure, name))
        return true;
    char inner[SER_NAME_SIZE] = "";
    const char *pointed = variable ? ser_node_text(variable, SER_VARIABLE_NAME) : NULL;
    if (!pointed && steps && LLVMIsALoadInst(base) &&
        name_access(unit, variables, LLVMGetOperand(base, 0), sizeof(void *), steps - 1, inner))
        pointed = inner;
    if (pointed)
        snprintf(name, SER_NAME_SIZE, "*%.*s", SER_NAME_SIZE - 2, pointed);
    return pointed != NULL;
}

bool ser_name_access(ser_unit *unit, const ser_variables *variables, LLVMValueRef pointer,
                     uint64_t size, char name[SER_NAME_SIZE])
{
    const int steps = 3; /* through that many pointers */
    name[0] = '\0';
    return name_access(unit, variables, pointer, size, steps, name);
}
