/* SPDX-License-Identifier: MIT */
#include "instrument/naming/debug_info.h"

#include <stdio.h>

LLVMMetadataKind ser_node_kind(LLVMValueRef node)
{
    return LLVMGetMetadataKind(LLVMValueAsMetadata(node));
}

bool ser_node_has_operands(LLVMValueRef node)
{
    return LLVMIsAMDNode(node) != NULL;
}

void ser_node_operands(LLVMValueRef node, ser_values *operands)
{
    size_t count = ser_node_has_operands(node) ? LLVMGetMDNodeNumOperands(node) : 0;
    ser_vector_reserve(operands, count);
    operands->count = count;
    if (count)
        LLVMGetMDNodeOperands(node, operands->items);
}

LLVMValueRef ser_node_operand(LLVMValueRef node, unsigned index)
{
    ser_values operands = {0};
    ser_node_operands(node, &operands);
    LLVMValueRef operand = index < operands.count ? operands.items[index] : NULL;
    ser_vector_free(&operands);
    return operand;
}

const char *ser_node_text(LLVMValueRef node, unsigned index)
{
    LLVMValueRef operand = ser_node_operand(node, index);
    unsigned length;
    return operand ? LLVMGetMDString(operand, &length) : NULL;
}

static bool is_named_scope(LLVMMetadataKind kind)
{
    return kind == LLVMDISubprogramMetadataKind || kind == LLVMDICompositeTypeMetadataKind ||
           kind == LLVMDINamespaceMetadataKind || kind == LLVMDIDerivedTypeMetadataKind;
}

static bool is_block(LLVMMetadataKind kind)
{
    return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
}

/* What a scope without a name is called, much as compilers do. `inner` is the name
 * of what lies in it. */
static const char *call_unnamed(LLVMMetadataKind kind, const char *inner)
{
    if (kind == LLVMDINamespaceMetadataKind)
        return "(anonymous namespace)";
    return strcmp(inner, "operator()") == 0 ? "(lambda)" : "(anonymous)";
}

/* Scopes are found from the inside; the outermost is printed first. */
static size_t append_scopes(LLVMValueRef node, const char *inner, char *name, size_t size)
{
    size_t length = 0;
    if (!node)
        return length;
    LLVMMetadataKind kind = ser_node_kind(node);
    if (!is_named_scope(kind) && !is_block(kind))
        return length;
    const char *text = is_block(kind) ? inner : ser_node_text(node, SER_NODE_NAME);
    if (!text)
        text = call_unnamed(kind, inner);
    length = append_scopes(ser_node_operand(node, SER_NODE_SCOPE), text, name, size);
    if (is_block(kind) || length >= size)
        return length;
    return length +
           (size_t)snprintf(name + length, size - length, "%s%s", length ? "::" : "", text);
}

void ser_node_qualified(LLVMValueRef node, char *name, size_t size)
{
    name[0] = '\0';
    append_scopes(node, "", name, size);
}

LLVMValueRef ser_node_subprogram(LLVMValueRef scope)
{
    while (scope && is_block(ser_node_kind(scope)))
        scope = ser_node_operand(scope, SER_NODE_SCOPE);
    return scope && ser_node_kind(scope) == LLVMDISubprogramMetadataKind ? scope : NULL;
}
