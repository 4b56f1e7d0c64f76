/* SPDX-License-Identifier: MIT */
#include "instrument/main_status.h"

#include <string.h>

static bool is_void_main(LLVMValueRef function)
{
    size_t length;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    return strcmp(LLVMGetValueName2(function, &length), "main") == 0 &&
           LLVMGetTypeKind(type) == LLVMVoidTypeKind;
}

static LLVMValueRef find_exit(ser_unit *unit, LLVMTypeRef type)
{
    LLVMValueRef found = LLVMGetNamedFunction(unit->module, "exit");
    return found ? found : LLVMAddFunction(unit->module, "exit", type);
}

void ser_settle_main_status(ser_unit *unit, LLVMValueRef function)
{
    LLVMTypeRef type = LLVMFunctionType(unit->none, &unit->i32, 1, false);
    LLVMValueRef success = LLVMConstInt(unit->i32, 0, false);
    if (!is_void_main(function) || LLVMGlobalGetValueType(find_exit(unit, type)) != type)
        return;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (!last || !LLVMIsAReturnInst(last))
            continue;
        LLVMPositionBuilderBefore(unit->builder, last);
        LLVMSetCurrentDebugLocation2(unit->builder, NULL);
        LLVMBuildCall2(unit->builder, type, find_exit(unit, type), &success, 1, "");
    }
}
