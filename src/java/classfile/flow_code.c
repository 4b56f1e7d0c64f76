/* SPDX-License-Identifier: MIT */
/*
 * What one instruction does to the words of the stack and of local variables. Values of two words
 * have the same word twice, so that those instructions which move words need not know.
 */
#include "java/classfile/calls.h"
#include "java/classfile/flows.h"
#include "java/classfile/format/opcodes.h"

enum { LDC2_W = 0x14, ILOAD_0 = 0x1a, POP2 = 0x58, SWAP = 0x5f, IADD = 0x60, IDIV = 0x6c };
enum { INEG = 0x74, ISHL = 0x78, IAND = 0x7e, IINC = 0x84, I2L = 0x85, LCMP = 0x94 };
enum { IF_ICMPEQ = 0x9f, GOTO = 0xa7, CHECKCAST = 0xc0, MONITORENTER = 0xc2 };
enum { MULTIANEWARRAY = 0xc5 };

/* How an instruction without rules of its own changes the stack. */
typedef struct effect {
    uint8_t pops, pushes; /* words */
    bool reaches;         /* what it takes decides, or is an object: else it is computed with */
} effect;

static const effect EFFECTS[] = {
    [0x01] = {0, 1, 0},         [0x02] = {0, 1, 0},      [0x03] = {0, 1, 0},
    [0x04] = {0, 1, 0},         [0x05] = {0, 1, 0},      [0x06] = {0, 1, 0},
    [0x07] = {0, 1, 0},         [0x08] = {0, 1, 0},      [0x09] = {0, 2, 0},
    [0x0a] = {0, 2, 0},         [0x0b] = {0, 1, 0},      [0x0c] = {0, 1, 0},
    [0x0d] = {0, 1, 0},         [0x0e] = {0, 2, 0},      [0x0f] = {0, 2, 0},
    [0x10] = {0, 1, 0},         [OP_SIPUSH] = {0, 1, 0}, [0x12] = {0, 1, 0},
    [0x13] = {0, 1, 0},         [LDC2_W] = {0, 2, 0},    [OP_POP] = {1, 0, 0},
    [POP2] = {2, 0, 0},         [I2L] = {1, 2, 0},       [0x86] = {1, 1, 0},
    [0x87] = {1, 2, 0},         [0x88] = {2, 1, 0},      [0x89] = {2, 1, 0},
    [0x8a] = {2, 2, 0},         [0x8b] = {1, 1, 0},      [0x8c] = {1, 2, 0},
    [0x8d] = {1, 2, 0},         [0x8e] = {2, 1, 0},      [0x8f] = {2, 2, 0},
    [0x90] = {2, 1, 0},         [0x91] = {1, 1, 0},      [0x92] = {1, 1, 0},
    [0x93] = {1, 1, 0},         [LCMP] = {4, 1, 0},      [0x95] = {2, 1, 0},
    [0x96] = {2, 1, 0},         [0x97] = {4, 1, 0},      [0x98] = {4, 1, 0},
    [0x99] = {1, 0, 1},         [0x9a] = {1, 0, 1},      [0x9b] = {1, 0, 1},
    [0x9c] = {1, 0, 1},         [0x9d] = {1, 0, 1},      [0x9e] = {1, 0, 1},
    [IF_ICMPEQ] = {2, 0, 1},    [0xa0] = {2, 0, 1},      [0xa1] = {2, 0, 1},
    [0xa2] = {2, 0, 1},         [0xa3] = {2, 0, 1},      [0xa4] = {2, 0, 1},
    [0xa5] = {2, 0, 1},         [0xa6] = {2, 0, 1},      [OP_TABLESWITCH] = {1, 0, 1},
    [0xab] = {1, 0, 1},         [0xac] = {1, 0, 1},      [0xad] = {2, 0, 1},
    [0xae] = {1, 0, 1},         [0xaf] = {2, 0, 1},      [0xb0] = {1, 0, 1},
    [OP_NEW] = {0, 1, 0},       [0xbc] = {1, 1, 1},      [0xbd] = {1, 1, 1},
    [0xbe] = {1, 1, 1},         [OP_ATHROW] = {1, 0, 1}, [0xc1] = {1, 1, 1},
    [0xc2] = {1, 0, 1},         [0xc3] = {1, 0, 1},      [OP_IFNULL] = {1, 0, 1},
    [OP_IFNONNULL] = {1, 0, 1}, [OP_LAST] = {0, 0, 0},
};

/* The value that an instruction makes. */
static uint16_t made_at(uint32_t at)
{
    return (uint16_t)(at + 1);
}

static bool is_branch(uint32_t op)
{
    return (op >= OP_IFEQ && op < GOTO) || op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH ||
           op == OP_IFNULL || op == OP_IFNONNULL;
}

static void apply(ser_flows *flows, uint32_t at, effect does)
{
    ser_flow_word taken = ser_flow_pop(flows, does.pops);
    if (does.reaches)
        ser_flow_reaches(flows, taken);
    if (is_branch(flows->weave->code[at]) && !flows->failed)
        flows->asked_at[at] = ser_flow_unite(flows, flows->asked_at[at], taken.origin);
    if (flows->weave->code[at] >= OP_IRETURN && flows->weave->code[at] < OP_RETURN)
        ser_flow_is_handed(flows, taken);
    flows->acts[at] = flows->acts[at] || flows->weave->code[at] == MONITORENTER;
    ser_flow_word result = {does.reaches ? 0 : taken.group, made_at(at), taken.origin};
    ser_flow_push(flows, result, does.pushes);
}

/* int, long, float, double, and objects, in the order of instructions */
static uint32_t words_of_kind(uint32_t kind)
{
    return kind == SER_VALUE_LONG || kind == SER_VALUE_DOUBLE ? 2 : 1;
}

/* --- local variables ----------------------------------------------------------- */

static void load(ser_flows *flows, uint32_t kind, uint32_t number)
{
    uint32_t words = words_of_kind(kind);
    ser_flow_push(flows, *ser_flow_local(flows, number, words), words);
}

static void store(ser_flows *flows, uint32_t kind, uint32_t number)
{
    uint32_t words = words_of_kind(kind);
    ser_flow_word word = ser_flow_pop(flows, words), *local = ser_flow_local(flows, number, words);
    for (uint32_t i = 0; i < words; i++)
        local[i] = word;
}

static bool execute_local(ser_flows *flows, uint32_t at)
{
    const uint8_t *code = flows->weave->code + at;
    bool wide = *code == OP_WIDE;
    uint32_t op = wide ? code[1] : code[0];
    if (op >= OP_ILOAD && op < ILOAD_0)
        load(flows, op - OP_ILOAD, wide ? ser_peek_2(code + 2) : code[1]);
    else if (!wide && op >= ILOAD_0 && op < OP_IALOAD)
        load(flows, (op - ILOAD_0) / 4, (op - ILOAD_0) % 4);
    else if (op >= OP_ISTORE && op <= OP_ASTORE)
        store(flows, op - OP_ISTORE, wide ? ser_peek_2(code + 2) : code[1]);
    else if (!wide && op >= OP_ISTORE_0 && op < OP_IASTORE)
        store(flows, (op - OP_ISTORE_0) / 4, (op - OP_ISTORE_0) % 4);
    else if (op == IINC)
        ser_flow_local(flows, wide ? ser_peek_2(code + 2) : code[1], 1)->value = made_at(at);
    else
        return false;
    return true;
}

/* --- the stack ------------------------------------------------------------------ */

/* Copies `count` words below `skip` more. */
static void copy_words(ser_flows *flows, uint32_t count, uint32_t skip)
{
    enum { MOST = 4 };
    ser_flow_word words[MOST];
    for (uint32_t i = 0; i < count + skip; i++)
        words[i] = ser_flow_pop(flows, 1);
    for (uint32_t i = count; i > 0; i--)
        ser_flow_push(flows, words[i - 1], 1);
    for (uint32_t i = count + skip; i > 0; i--)
        ser_flow_push(flows, words[i - 1], 1);
}

static void swap_words(ser_flows *flows)
{
    ser_flow_word upper = ser_flow_pop(flows, 1), lower = ser_flow_pop(flows, 1);
    ser_flow_push(flows, upper, 1);
    ser_flow_push(flows, lower, 1);
}

static bool execute_stack(ser_flows *flows, uint32_t op)
{
    if (op >= OP_DUP && op <= OP_DUP_X2)
        copy_words(flows, 1, op - OP_DUP);
    else if (op >= OP_DUP2 && op <= OP_DUP2_X2)
        copy_words(flows, 2, op - OP_DUP2);
    else if (op == SWAP)
        swap_words(flows);
    else
        return false;
    return true;
}

/* --- arithmetic ------------------------------------------------------------------ */

/* A division of whole numbers by zero is an exception. */
static bool execute_arithmetic(ser_flows *flows, uint32_t at)
{
    uint32_t op = flows->weave->code[at], kind = (op - IADD) % 4, words = words_of_kind(kind);
    if (op < IADD || op >= IINC)
        return false;
    if (op >= ISHL)
        words = op % 2 == 0 ? 1 : 2;
    bool divides = op >= IDIV && op < INEG && kind <= SER_VALUE_LONG;
    bool shifts = op >= ISHL && op < IAND, negates = op >= INEG && op < ISHL;
    ser_flow_word right = ser_flow_pop(flows, negates ? 0 : shifts ? 1 : words);
    ser_flow_word left = ser_flow_pop(flows, words);
    if (divides)
        ser_flow_reaches(flows, right);
    ser_flow_word result = {ser_flow_unite(flows, left.group, right.group), made_at(at),
                            ser_flow_unite(flows, left.origin, right.origin)};
    ser_flow_push(flows, result, words);
    return true;
}

/* --- fields and elements ---------------------------------------------------------- */

static void remember_read(ser_flows *flows, ser_flow_read read)
{
    flows->recent[flows->recent_count++ % SER_FLOW_RECENT] = read;
}

static bool is_same_value(ser_flow_word one, ser_flow_word other)
{
    return one.value != 0 && one.value == other.value;
}

/* Was the same variable read in the straight-line code before, and the value computed from that? */
static void find_beginning(ser_flows *flows, const ser_flow_read *write, ser_flow_word value)
{
    uint32_t count = flows->recent_count < SER_FLOW_RECENT ? flows->recent_count : SER_FLOW_RECENT;
    uint16_t group = ser_flow_find(flows, value.group);
    for (uint32_t i = 1; i <= count && group; i++) {
        const ser_flow_read *read = &flows->recent[(flows->recent_count - i) % SER_FLOW_RECENT];
        bool same = read->constant == write->constant &&
                    is_same_value(read->object, write->object) &&
                    is_same_value(read->index, write->index);
        if (same && ser_flow_find(flows, flows->group_at[read->at]) == group) {
            flows->begins[read->at] = true;
            return;
        }
    }
}

static void read_variable(ser_flows *flows, ser_flow_read read, uint32_t words, bool recorded)
{
    ser_flow_word value = {.value = made_at(read.at)};
    if (recorded) {
        value.group = ser_flow_group(flows, &flows->group_at[read.at]);
        value.origin = ser_flow_group(flows, &flows->origin_at[read.at]);
    }
    ser_flow_push(flows, value, words);
    if (recorded)
        remember_read(flows, read);
}

static void write_variable(ser_flows *flows, ser_flow_read write, ser_flow_word value,
                           bool recorded)
{
    bool is_element = write.constant == 0;
    if (!recorded || is_element)
        ser_flow_reaches(flows, value);
    if (!recorded || flows->failed)
        return;
    if (!is_element)
        ser_flow_decides(flows, value);
    flows->stores = flows->stores || value.value >= SER_FLOW_OF_PARAMETERS;
    flows->writes[write.at] = true;
    flows->group_at[write.at] = ser_flow_unite(flows, flows->group_at[write.at], value.group);
    find_beginning(flows, &write, value);
    flows->recent_count = 0;
}

static void execute_field(ser_flows *flows, uint32_t at)
{
    const uint8_t *code = flows->weave->code + at;
    bool is_static = *code == OP_GETSTATIC || *code == OP_PUTSTATIC;
    bool writes = *code == OP_PUTSTATIC || *code == OP_PUTFIELD;
    ser_member field = ser_pool_member(&flows->weave->job->pool, ser_peek_2(code + 1));
    if (field.descriptor.length == 0) {
        flows->failed = true;
        return;
    }
    uint32_t words = words_of_kind(ser_value_kind_of(field.descriptor.bytes[0]));
    bool recorded = ser_weave_records_field(flows->weave, at, &field);
    ser_flow_read access = {.at = at, .constant = ser_peek_2(code + 1), .object.value = 1};
    access.index = access.object;
    ser_flow_word value = ser_flow_pop(flows, writes ? words : 0);
    if (!is_static)
        access.object = ser_flow_pop(flows, 1);
    ser_flow_reaches(flows, access.object);
    if (writes)
        write_variable(flows, access, value, recorded);
    else
        read_variable(flows, access, words, recorded);
}

static bool execute_element(ser_flows *flows, uint32_t at)
{
    uint32_t op = flows->weave->code[at];
    bool reads = op >= OP_IALOAD && op <= OP_SALOAD, writes = op >= OP_IASTORE && op <= OP_SASTORE;
    if (!reads && !writes)
        return false;
    uint32_t words = words_of_kind(op - (writes ? OP_IASTORE : OP_IALOAD));
    ser_flow_word value = ser_flow_pop(flows, writes ? words : 0);
    ser_flow_read access = {.at = at, .index = ser_flow_pop(flows, 1)};
    access.object = ser_flow_pop(flows, 1);
    ser_flow_reaches(flows, access.index);
    ser_flow_reaches(flows, access.object);
    if (writes)
        write_variable(flows, access, value, true);
    else
        read_variable(flows, access, words, true);
    return true;
}

/* --- calls ------------------------------------------------------------------------ */

static uint32_t words_of_result(char letter)
{
    return letter == 'V' ? 0 : ser_value_words(ser_value_kind_of(letter));
}

static bool is_iterator(ser_class_text owner)
{
    return ser_class_text_is(owner, "java/util/Iterator") ||
           ser_class_text_is(owner, "java/util/ListIterator") ||
           ser_class_text_is(owner, "java/util/Enumeration");
}

/* Does it take a lock, change an object of the library, or may it do so? */
static bool may_act(const ser_member *called, ser_class_site_kind kind)
{
    if (kind != SER_CLASS_PLACE)
        return kind != SER_CLASS_READ;
    return !ser_class_text_starts(called->owner, "java/") ||
           ser_class_text_starts(called->owner, "java/util/concurrent/locks/");
}

/* A method of the program: what becomes of its result, and of what it is given, is told. */
static bool is_own(const ser_member *called)
{
    return !ser_class_text_starts(called->owner, "java/") &&
           !ser_class_text_is(called->name, "<init>");
}

/* Of a call through its constant: does it act, and what is its result made of? */
static ser_flow_word result_of_call(ser_flows *flows, uint32_t at, const ser_member *called,
                                    ser_flow_word arguments)
{
    ser_flow_word result = {.value = made_at(at), .origin = arguments.origin};
    ser_class_site_kind kind = flows->weave->code[at] == OP_INVOKESTATIC
                                   ? SER_CLASS_PLACE
                                   : ser_operation_of(called, false).kind;
    flows->acts[at] = may_act(called, kind);
    if (kind == SER_CLASS_WRITE || kind == SER_CLASS_READ_WRITE)
        ser_flow_decides(flows, arguments);
    if (kind != SER_CLASS_PLACE)
        result.origin = 0;
    else if (is_own(called)) {
        flows->passed_at[at] = ser_flow_unite(flows, flows->passed_at[at], arguments.origin);
        uint16_t own = ser_flow_group(flows, &flows->result_at[at]);
        result.origin = ser_flow_unite(flows, result.origin, own);
    }
    if (kind == SER_CLASS_READ && !is_iterator(called->owner))
        result.origin = ser_flow_group(flows, &flows->origin_at[at]);
    return result;
}

static void execute_call(ser_flows *flows, uint32_t at)
{
    const uint8_t *code = flows->weave->code + at;
    ser_pool *pool = &flows->weave->job->pool;
    uint32_t constant = ser_peek_2(code + 1);
    bool is_dynamic = *code == OP_INVOKEDYNAMIC;
    ser_member called = {0};
    if (!is_dynamic)
        called = ser_pool_member(pool, constant);
    ser_call_arguments list;
    if (!ser_call_arguments_read(is_dynamic ? ser_pool_dynamic(pool, constant) : called.descriptor,
                                 &list)) {
        flows->failed = true;
        return;
    }
    uint32_t words = 0;
    for (uint32_t i = 0; i < list.count; i++)
        words += ser_value_words(list.kinds[i]);
    ser_flow_word arguments = ser_flow_pop(flows, words);
    ser_flow_reaches(flows, arguments);
    ser_flow_word result = {.value = made_at(at), .origin = arguments.origin};
    if (!is_dynamic)
        result = result_of_call(flows, at, &called, arguments);
    if (*code != OP_INVOKESTATIC && !is_dynamic) {
        ser_flow_word object = ser_flow_pop(flows, 1);
        ser_flow_reaches(flows, object);
        if (!flows->origin_at[at] && !flows->failed) /* left.intValue() */
            result.origin = ser_flow_unite(flows, result.origin, object.origin);
    }
    ser_flow_push(flows, result, words_of_result(list.result));
    flows->recent_count = 0;
}

void ser_flow_execute(ser_flows *flows, uint32_t at)
{
    const uint8_t *code = flows->weave->code + at;
    if (execute_local(flows, at) || execute_stack(flows, *code) || execute_arithmetic(flows, at) ||
        execute_element(flows, at))
        return;
    if (*code >= OP_GETSTATIC && *code <= OP_PUTFIELD)
        execute_field(flows, at);
    else if (*code >= OP_INVOKEVIRTUAL && *code <= OP_INVOKEDYNAMIC)
        execute_call(flows, at);
    else if (*code == MULTIANEWARRAY)
        apply(flows, at, (effect){code[3], 1, true});
    else if (*code == CHECKCAST) { /* may throw an exception; the object stays the same */
        ser_flow_word object = ser_flow_pop(flows, 1);
        ser_flow_reaches(flows, object);
        ser_flow_push(flows, (ser_flow_word){0, object.value, object.origin}, 1);
    } else
        apply(flows, at, EFFECTS[*code]);
}
