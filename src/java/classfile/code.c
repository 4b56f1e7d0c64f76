/* SPDX-License-Identifier: MIT */
/*
 * Instructions: how long they are.
 */
#include "java/classfile/format/opcodes.h"
#include "java/classfile/weave.h"

enum { IINC = 0x84 };

/* In bytes, by opcode; 0: it depends. */
static const uint8_t lengths[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 00 */
    2, 3, 2, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, /* 10 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 20 */
    1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, /* 30 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 40 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 50 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 60 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 70 */
    1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* 80 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, /* 90 */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 0, 0, 1, 1, 1, 1, /* a0 */
    1, 1, 3, 3, 3, 3, 3, 3, 3, 5, 5, 3, 2, 3, 1, 1, /* b0 */
    3, 3, 1, 1, 0, 4, 3, 3, 5, 5,                   /* c0 */
};

static uint32_t switch_length(const uint8_t *code, uint32_t length, uint32_t at)
{
    uint32_t operands = (at + 4) & ~UINT32_C(3);
    bool is_table = code[at] == OP_TABLESWITCH;
    uint64_t head = is_table ? 12 : 8, entries;
    if (operands + head > length)
        return 0;
    if (is_table) {
        int64_t low = (int32_t)ser_peek_4(code + operands + 4);
        int64_t high = (int32_t)ser_peek_4(code + operands + 8);
        if (high < low)
            return 0;
        entries = 4 * (uint64_t)(high - low + 1);
    } else {
        entries = 8 * (uint64_t)ser_peek_4(code + operands + 4);
    }
    uint64_t end = operands + head + entries;
    return end <= length ? (uint32_t)end - at : 0;
}

uint32_t ser_code_length(const uint8_t *code, uint32_t length, uint32_t at)
{
    uint32_t op = code[at], size;
    if (op > OP_LAST)
        return 0;
    if (op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH)
        return switch_length(code, length, at);
    if (op == OP_WIDE)
        size = at + 1 < length && code[at + 1] == IINC ? 6 : 4;
    else
        size = lengths[op];
    return size <= length - at ? size : 0;
}

bool ser_code_is_whole(const uint8_t *code, uint32_t length)
{
    uint32_t at = 0, size;
    for (; at < length; at += size)
        if ((size = ser_code_length(code, length, at)) == 0)
            return false;
    return length > 0;
}

/* The stores of variable 0 without operand are every fourth one from istore_0 to astore_3. */
bool ser_code_stores_this(const uint8_t *code, uint32_t length)
{
    for (uint32_t at = 0; at < length; at += ser_code_length(code, length, at)) {
        uint32_t op = code[at];
        if (op >= OP_ISTORE_0 && op <= OP_ASTORE_0 + 3 && (op - OP_ISTORE_0) % 4 == 0)
            return true;
        if (op >= OP_ISTORE && op <= OP_ASTORE && code[at + 1] == 0)
            return true;
        if (op == OP_WIDE && code[at + 1] >= OP_ISTORE && code[at + 1] <= OP_ASTORE &&
            ser_peek_2(code + at + 2) == 0)
            return true;
    }
    return false;
}
