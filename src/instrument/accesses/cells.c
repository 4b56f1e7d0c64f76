/* SPDX-License-Identifier: MIT */
/*
 * Copies of small structures, member by member: then each member that is copied is a load and a
 * store, whose values can be followed (code/followed.h), rather than a range that has none.
 *
 * Only of structures and arrays without gaps, since a copy has the bytes between members, too; of
 * memory that others may reach on both sides; and by memcpy, whose sides do not overlap.
 */
#include <llvm/Config/llvm-config.h>

#include "instrument/accesses/body.h"

enum { MOST_CELLS = 16 };

typedef struct cell {
    LLVMTypeRef type;
    uint64_t offset;
} cell;

typedef struct cell_list {
    cell items[MOST_CELLS];
    unsigned count;
    uint64_t size; /* of all */
} cell_list;

/* What a member is copied as: a number of the same size, or a pointer; NULL: it is neither. */
static LLVMTypeRef copied_as(const ser_unit *unit, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return LLVMGetPointerAddressSpace(type) == 0 ? type : NULL;
    case LLVMFloatTypeKind:
        return unit->i32;
    case LLVMDoubleTypeKind:
        return unit->i64;
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetIntTypeWidth(type);
        return width == 8 || width == 16 || width == 32 || width == 64 ? type : NULL;
    }
    default:
        return NULL;
    }
}

static bool list_cells(const ser_unit *unit, cell_list *cells, LLVMTypeRef type, uint64_t offset);

static bool list_members(const ser_unit *unit, cell_list *cells, LLVMTypeRef type, uint64_t offset)
{
    bool good = !LLVMIsPackedStruct(type) && !LLVMIsOpaqueStruct(type);
    for (unsigned i = 0; good && i < LLVMCountStructElementTypes(type); i++)
        good = list_cells(unit, cells, LLVMStructGetTypeAtIndex(type, i),
                          offset + LLVMOffsetOfElement(unit->layout, type, i));
    return good;
}

static bool list_elements(const ser_unit *unit, cell_list *cells, LLVMTypeRef type, uint64_t offset)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned count = LLVMGetArrayLength(type);
    bool good = count <= MOST_CELLS;
    for (unsigned i = 0; good && i < count; i++)
        good =
            list_cells(unit, cells, element, offset + i * LLVMABISizeOfType(unit->layout, element));
    return good;
}

/* False: there are too many, or one that is not copied so. */
static bool list_cells(const ser_unit *unit, cell_list *cells, LLVMTypeRef type, uint64_t offset)
{
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return list_members(unit, cells, type, offset);
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return list_elements(unit, cells, type, offset);
    LLVMTypeRef as = copied_as(unit, type);
    if (!as || cells->count == MOST_CELLS)
        return false;
    cells->items[cells->count++] = (cell){as, offset};
    cells->size += LLVMABISizeOfType(unit->layout, as);
    return true;
}

/* What the pointer points to, as far as its type or its object says it; NULL: nothing does. */
static LLVMTypeRef type_at(LLVMValueRef pointer)
{
    bool is_cast = true;
    while (is_cast) {
        is_cast = LLVMIsABitCastInst(pointer) ||
                  (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMBitCast);
        if (is_cast)
            pointer = LLVMGetOperand(pointer, 0);
    }
    if (LLVMIsAGlobalVariable(pointer))
        return LLVMGlobalGetValueType(pointer);
    if (LLVMIsAAllocaInst(pointer))
        return LLVMGetAllocatedType(pointer);
#if LLVM_VERSION_MAJOR < 15
    return LLVMGetElementType(LLVMTypeOf(pointer));
#else
    return NULL;
#endif
}

/* The members, if they are all that is copied, and there is more than one. */
static bool find_cells(const ser_unit *unit, LLVMValueRef pointer, uint64_t size, cell_list *cells)
{
    LLVMTypeRef type = type_at(pointer);
    *cells = (cell_list){0};
    return type && LLVMTypeIsSized(type) && LLVMABISizeOfType(unit->layout, type) == size &&
           list_cells(unit, cells, type, 0) && cells->size == size && cells->count > 1;
}

static bool is_shared(ser_unit *unit, ser_locality *locality, LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0 &&
           !ser_is_private(locality, unit, pointer);
}

static bool can_be_divided(ser_unit *unit, ser_locality *locality, LLVMValueRef call,
                           cell_list *cells)
{
    if (!LLVMIsACallInst(call) || !ser_starts_with(ser_called_name(call), "llvm.memcpy.p0"))
        return false;
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    LLVMValueRef size = LLVMGetOperand(call, 2), is_volatile = LLVMGetOperand(call, 3);
    if (!LLVMIsAConstantInt(size) || LLVMConstIntGetZExtValue(is_volatile) != 0)
        return false;
    uint64_t bytes = LLVMConstIntGetZExtValue(size);
    return (find_cells(unit, to, bytes, cells) || find_cells(unit, from, bytes, cells)) &&
           is_shared(unit, locality, to) && is_shared(unit, locality, from);
}

static LLVMValueRef address_of(ser_unit *unit, LLVMValueRef base, const cell *of)
{
    LLVMValueRef offset = LLVMConstInt(unit->i64, of->offset, false);
    LLVMValueRef bytes = LLVMBuildBitCast(unit->builder, base, unit->pointer, "");
    LLVMValueRef at = LLVMBuildGEP2(unit->builder, unit->i8, bytes, &offset, 1, "");
    return LLVMBuildBitCast(unit->builder, at, LLVMPointerType(of->type, 0), "");
}

/* All is read before anything is written, as in a copy of a structure. */
static void divide(ser_unit *unit, LLVMValueRef call, const cell_list *cells)
{
    LLVMValueRef values[MOST_CELLS];
    LLVMPositionBuilderBefore(unit->builder, call);
    for (unsigned i = 0; i < cells->count; i++)
        values[i] = LLVMBuildLoad2(unit->builder, cells->items[i].type,
                                   address_of(unit, LLVMGetOperand(call, 1), &cells->items[i]), "");
    for (unsigned i = 0; i < cells->count; i++)
        LLVMBuildStore(unit->builder, values[i],
                       address_of(unit, LLVMGetOperand(call, 0), &cells->items[i]));
    LLVMInstructionEraseFromParent(call);
}

void ser_divide_copies(ser_unit *unit, ser_locality *locality, LLVMValueRef function)
{
    cell_list cells;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (can_be_divided(unit, locality, at, &cells))
                divide(unit, at, &cells);
        }
}
