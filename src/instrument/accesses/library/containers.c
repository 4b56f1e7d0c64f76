/* SPDX-License-Identifier: MIT */
/*
 * The functions of the runtime have the parameters of those that they replace, so that only the
 * name of the function changes in a call.
 */
#include "instrument/accesses/library/containers.h"

static const struct {
    const char *name;
    unsigned arguments;
    const char *ours;
} functions[] = {
    {"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", 1, "__seriatim_tree_next"},
    {"_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", 1, "__seriatim_tree_next"},
    {"_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", 1, "__seriatim_tree_previous"},
    {"_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", 1, "__seriatim_tree_previous"},
    {"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", 4,
     "__seriatim_tree_insert"},
    {"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", 2, "__seriatim_tree_erase"},
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", 2, "__seriatim_list_hook"},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", 1, "__seriatim_list_unhook"},
    {"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", 3, "__seriatim_list_transfer"},
    {"_ZNSt8__detail15_List_node_base4swapERS0_S1_", 2, "__seriatim_list_swap"},
    {"_ZNSt8__detail15_List_node_base10_M_reverseEv", 1, "__seriatim_list_reverse"},
};

static const char *find_ours(LLVMValueRef call)
{
    LLVMValueRef callee = ser_called_function(call);
    if (!callee || !LLVMIsDeclaration(callee))
        return NULL;
    const char *name = ser_called_name(call);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return LLVMGetNumArgOperands(call) == functions[i].arguments ? functions[i].ours : NULL;
    return NULL;
}

bool ser_is_container_call(LLVMValueRef call)
{
    return find_ours(call) != NULL;
}

/* Iterator steps are declared as functions without side effects; ours record, so that is
 * removed. */
static LLVMValueRef declare_like(ser_unit *unit, LLVMValueRef call, const char *name)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (!function)
        function = LLVMAddFunction(unit->module, name, type);
    return LLVMConstBitCast(function, LLVMPointerType(type, 0));
}

void ser_rewrite_container_call(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMPositionBuilderBefore(unit->builder, call);
    SER_CALL(unit, "__seriatim_at", site);
    LLVMValueRef ours = declare_like(unit, call, find_ours(call));
    ser_drop_promises_of_call(call);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, ours);
}

bool ser_asks_for_rehash(LLVMValueRef call)
{
    static const char asks[] = "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm";
    static const char chooses[] = "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm";
    LLVMValueRef callee = ser_called_function(call);
    const char *name = ser_called_name(call);
    return callee && LLVMIsDeclaration(callee) &&
           ((strcmp(name, asks) == 0 && LLVMGetNumArgOperands(call) == 4) ||
            (strcmp(name, chooses) == 0 && LLVMGetNumArgOperands(call) == 2));
}

void ser_tell_rehash(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMValueRef most = LLVMConstInt(unit->i64, UINT64_MAX, false); /* it chooses anew */
    bool asks = LLVMGetNumArgOperands(call) == 4;
    LLVMPositionBuilderBefore(unit->builder, call);
    SER_CALL(unit, "__seriatim_rehash_asked", LLVMGetOperand(call, 0),
             asks ? LLVMGetOperand(call, 2) : most,
             asks ? LLVMGetOperand(call, 3) : LLVMConstInt(unit->i64, 0, false), site);
}
