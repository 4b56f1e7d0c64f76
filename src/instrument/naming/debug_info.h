/* SPDX-License-Identifier: MIT */
/*
 * debug_info.h - reading debug information.
 *
 * LLVM-C has few functions for debug information, but shows every node as a list of operands. The
 * places of operands used here have been the same since LLVM 3.9. A node is the value that wraps it
 * (LLVMMetadataAsValue).
 */
#ifndef SER_INSTRUMENT_NAMING_DEBUG_INFO_H
#define SER_INSTRUMENT_NAMING_DEBUG_INFO_H

#include <llvm-c/DebugInfo.h>

#include "instrument/unit.h"

enum {
    SER_NODE_SCOPE = 1,     /* of scopes and types */
    SER_NODE_NAME = 2,      /* of scopes and types */
    SER_NODE_LINKAGE = 3,   /* of subprograms */
    SER_NODE_BASE = 3,      /* of types: what a member, typedef or array is made of */
    SER_NODE_ELEMENTS = 4,  /* of composite types */
    SER_VARIABLE_SCOPE = 0, /* variables begin with their scope */
    SER_VARIABLE_NAME = 1,
    SER_VARIABLE_TYPE = 3,
};

LLVMMetadataKind ser_node_kind(LLVMValueRef node);

/* Is it a node, with operands? */
bool ser_node_has_operands(LLVMValueRef node);

/* The operands of a node, some of which may be NULL. */
void ser_node_operands(LLVMValueRef node, ser_values *operands);

/* One operand, or NULL; the same as text, NULL if it is none. */
LLVMValueRef ser_node_operand(LLVMValueRef node, unsigned index);
const char *ser_node_text(LLVMValueRef node, unsigned index);

/* The node's name with the names of its scopes: bank::Account::deposit. Cut off
 * at `size` bytes, as snprintf does. */
void ser_node_qualified(LLVMValueRef node, char *name, size_t size);

/* The subprogram that a scope lies in, or NULL. */
LLVMValueRef ser_node_subprogram(LLVMValueRef scope);

#endif
