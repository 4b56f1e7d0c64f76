/* SPDX-License-Identifier: MIT */
/*
 * The index of types. LLVM-C has no list of a module's types; so every node of
 * debug information is visited that can be reached from the compile units, the
 * functions and their variables. It is done once, and only if a module accesses
 * members of structures.
 */
#include "instrument/naming/types.h"

#include "instrument/naming/debug_info.h"

struct ser_types {
    ser_names *keys;            /* names of types, without template arguments */
    SER_VECTOR(uint32_t) first; /* by key: index into nodes, plus 1 */
    ser_values nodes;
    SER_VECTOR(uint32_t) next; /* by node: the next of that name, plus 1 */
    ser_names *seen;           /* addresses of nodes */
};

void ser_types_destroy(struct ser_types *types)
{
    if (!types)
        return;
    ser_names_destroy(types->keys);
    ser_names_destroy(types->seen);
    ser_vector_free(&types->first);
    ser_vector_free(&types->nodes);
    ser_vector_free(&types->next);
    free(types);
}

void ser_drop_template_arguments(char *name)
{
    char *to = name;
    int depth = 0;
    for (const char *from = name; *from; from++) {
        depth += *from == '<';
        if (depth == 0)
            *to++ = *from;
        depth -= *from == '>' && depth > 0;
    }
    *to = '\0';
}

static void add_type(struct ser_types *types, LLVMValueRef named, LLVMValueRef composite)
{
    char key[SER_TYPE_NAME_SIZE];
    ser_node_qualified(named, key, sizeof key);
    ser_drop_template_arguments(key);
    uint32_t number = ser_names_add(types->keys, key, strlen(key));
    uint32_t *first = ser_vector_slot(&types->first, number);
    ser_vector_push(&types->nodes, composite);
    ser_vector_push(&types->next, *first);
    *first = (uint32_t)types->nodes.count;
}

/* Notes a type that has both a name and members: a typedef may give the name. */
static void consider_type(struct ser_types *types, LLVMValueRef node, const ser_values *operands)
{
    if (operands->count <= SER_NODE_ELEMENTS || !operands->items[SER_NODE_NAME])
        return;
    LLVMMetadataKind kind = ser_node_kind(node);
    LLVMValueRef base = operands->items[SER_NODE_BASE];
    if (kind == LLVMDICompositeTypeMetadataKind && operands->items[SER_NODE_ELEMENTS])
        add_type(types, node, node);
    else if (kind == LLVMDIDerivedTypeMetadataKind && base &&
             ser_node_kind(base) == LLVMDICompositeTypeMetadataKind &&
             !ser_node_text(base, SER_NODE_NAME))
        add_type(types, node, base);
}

static void push_unseen(struct ser_types *types, ser_values *work, LLVMValueRef node)
{
    if (!node || !ser_node_has_operands(node))
        return;
    LLVMMetadataRef key = LLVMValueAsMetadata(node);
    uint32_t count = ser_names_count(types->seen);
    if (ser_names_add(types->seen, (const char *)&key, sizeof key) == count)
        ser_vector_push(work, node);
}

/* Everything that can be reached from a node. */
static void index_from(struct ser_types *types, LLVMValueRef root)
{
    ser_values work = {0}, operands = {0};
    push_unseen(types, &work, root);
    while (work.count) {
        LLVMValueRef node = work.items[--work.count];
        ser_node_operands(node, &operands);
        consider_type(types, node, &operands);
        for (size_t i = 0; i < operands.count; i++)
            push_unseen(types, &work, operands.items[i]);
    }
    ser_vector_free(&work);
    ser_vector_free(&operands);
}

static void index_body(struct ser_types *types, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (LLVMIsACallInst(instruction) &&
                ser_starts_with(ser_called_name(instruction), "llvm.dbg."))
                index_from(types, LLVMGetOperand(instruction, 1));
}

static struct ser_types *index_module(ser_unit *unit)
{
    struct ser_types *types = ser_alloc(1, sizeof *types);
    types->keys = ser_names_create();
    types->seen = ser_names_create();
    unsigned count = LLVMGetNamedMetadataNumOperands(unit->module, "llvm.dbg.cu");
    LLVMValueRef *units = ser_alloc(count, sizeof *units);
    LLVMGetNamedMetadataOperands(unit->module, "llvm.dbg.cu", units);
    for (unsigned i = 0; i < count; i++)
        index_from(types, units[i]);
    free(units);
    for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function;
         function = LLVMGetNextFunction(function)) {
        LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
        if (subprogram)
            index_from(types, LLVMMetadataAsValue(unit->context, subprogram));
        index_body(types, function);
    }
    return types;
}

LLVMValueRef ser_types_find(ser_unit *unit, const char *name, uint32_t *cursor)
{
    if (!unit->types)
        unit->types = index_module(unit);
    struct ser_types *types = unit->types;
    if (*cursor == 0) {
        uint32_t key = ser_names_find(types->keys, name, strlen(name));
        *cursor = key == SER_NO_NAME ? 0 : types->first.items[key];
    } else {
        *cursor = types->next.items[*cursor - 1];
    }
    return *cursor ? types->nodes.items[*cursor - 1] : NULL;
}
