/* SPDX-License-Identifier: MIT */
/*
 * Members by their offset. LLVM's structure "class.bank::Account.12" is the debug
 * information's "Account" in the scope "bank"; offsets do the rest. Members
 * without a name (base classes, nameless unions) are looked into.
 */
#include "instrument/naming/fields.h"

#include <ctype.h>
#include <stdio.h>

#include "instrument/naming/debug_info.h"
#include "instrument/naming/types.h"

typedef struct search {
    uint64_t from, to; /* bits, relative to the type looked at */
    char *path;
    size_t room;
} search;

static bool find_in_type(LLVMValueRef type, const search *wanted);

/* The type without typedefs, const and arrays; pointers have a size and no name. */
static LLVMValueRef strip_type(LLVMValueRef type)
{
    while (type) {
        LLVMMetadataRef metadata = LLVMValueAsMetadata(type);
        size_t length;
        bool named = LLVMDITypeGetName(metadata, &length) && length;
        LLVMMetadataKind kind = ser_node_kind(type);
        LLVMValueRef base = ser_node_operand(type, SER_NODE_BASE);
        if (kind == LLVMDICompositeTypeMetadataKind && (named || !base))
            return type;
        if (kind == LLVMDIDerivedTypeMetadataKind && !named && LLVMDITypeGetSizeInBits(metadata))
            return NULL;
        if (kind != LLVMDICompositeTypeMetadataKind && kind != LLVMDIDerivedTypeMetadataKind)
            return NULL;
        type = base;
    }
    return NULL;
}

static bool has_name(LLVMValueRef type)
{
    return type && ser_node_text(type, SER_NODE_NAME);
}

/* The member's name; goes on into its type if it has none. */
static bool name_member(LLVMValueRef member, const char *name, const search *wanted)
{
    LLVMValueRef type = strip_type(ser_node_operand(member, SER_NODE_BASE));
    if (!name)
        return find_in_type(type, wanted);
    size_t length = (size_t)snprintf(wanted->path, wanted->room, "%s", name);
    if (!type || has_name(type) || length + 2 > wanted->room)
        return true;
    search inner = *wanted;
    inner.path += length + 1;
    inner.room -= length + 1;
    if (find_in_type(type, &inner))
        wanted->path[length] = '.';
    return true;
}

/* Bit fields share bytes: all that an access touches are named. */
static void append_name(const search *wanted, const char *name)
{
    size_t length = strlen(wanted->path);
    snprintf(wanted->path + length, wanted->room - length, ", %s", name);
}

static uint64_t size_of_member(LLVMValueRef member)
{
    uint64_t size = LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(member));
    LLVMValueRef type = size ? NULL : strip_type(ser_node_operand(member, SER_NODE_BASE));
    return type ? LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) : size;
}

/* Looks at one member; `found` says that an earlier one was named. */
static bool consider_member(LLVMValueRef member, const search *wanted, bool found)
{
    LLVMMetadataRef metadata = LLVMValueAsMetadata(member);
    LLVMDIFlags flags = LLVMDITypeGetFlags(metadata);
    uint64_t start = LLVMDITypeGetOffsetInBits(metadata), size = size_of_member(member);
    if (size == 0) /* an array without a bound, at the end */
        size = UINT64_MAX - start;
    if ((flags & LLVMDIFlagStaticMember) || start >= wanted->to || start + size <= wanted->from)
        return found;
    const char *name = ser_node_text(member, SER_NODE_NAME);
    if (found) {
        if ((flags & LLVMDIFlagBitField) && name)
            append_name(wanted, name);
        return true;
    }
    if (!(flags & LLVMDIFlagBitField) && (start > wanted->from || start + size < wanted->to))
        return false;
    search inner = *wanted;
    inner.from = wanted->from > start ? wanted->from - start : 0;
    inner.to = wanted->to - start;
    return name_member(member, name, &inner);
}

static bool find_in_type(LLVMValueRef type, const search *wanted)
{
    LLVMValueRef elements = type ? ser_node_operand(type, SER_NODE_ELEMENTS) : NULL;
    ser_values members = {0};
    bool found = false;
    if (elements)
        ser_node_operands(elements, &members);
    for (size_t i = 0; i < members.count; i++)
        if (members.items[i] && ser_node_kind(members.items[i]) == LLVMDIDerivedTypeMetadataKind)
            found = consider_member(members.items[i], wanted, found);
    ser_vector_free(&members);
    return found;
}

bool ser_field_of_node(LLVMValueRef type, uint64_t offset, uint64_t size, char *path, size_t room)
{
    search wanted = {8 * offset, 8 * (offset + size), path, room};
    return find_in_type(strip_type(type), &wanted);
}

/* Cuts what LLVM puts behind a name to make it unique: ".12", ".base". */
static void drop_suffixes(char *name)
{
    for (char *dot = strrchr(name, '.'); dot; dot = strrchr(name, '.')) {
        if (strcmp(dot, ".base") != 0 && strspn(dot + 1, "0123456789") != strlen(dot + 1))
            return;
        *dot = '\0';
    }
}

/* LLVM's name in two: "struct", and "account". */
static bool split_name(LLVMTypeRef structure, char *name, size_t room, const char **kind)
{
    static const char *const kinds[] = {"struct", "class", "union"};
    const char *whole = LLVMGetStructName(structure);
    for (size_t i = 0; whole && i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        if (ser_starts_with(whole, kinds[i]) && whole[length] == '.') {
            snprintf(name, room, "%s", whole + length + 1);
            drop_suffixes(name);
            ser_drop_template_arguments(name);
            *kind = kinds[i];
            return true;
        }
    }
    return false;
}

bool ser_field_of_structure(ser_unit *unit, LLVMTypeRef structure, uint64_t offset, uint64_t size,
                            char *path, size_t room)
{
    char name[SER_TYPE_NAME_SIZE];
    const char *kind;
    if (!split_name(structure, name, sizeof name, &kind))
        return false;
    uint32_t cursor = 0;
    for (LLVMValueRef type = ser_types_find(unit, name, &cursor); type;
         type = ser_types_find(unit, name, &cursor)) {
        if (ser_field_of_node(type, offset, size, path, room))
            return true;
        if (cursor == 0)
            break;
    }
    return false;
}

void ser_name_structure(LLVMTypeRef structure, char *name, size_t room)
{
    char inner[SER_TYPE_NAME_SIZE];
    const char *kind;
    name[0] = '\0';
    if (split_name(structure, inner, sizeof inner, &kind))
        snprintf(name, room, "%s %s", kind, inner);
}
