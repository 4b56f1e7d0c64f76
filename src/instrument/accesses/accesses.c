/* SPDX-License-Identifier: MIT */
/*
 * The second step: every access of memory that other threads may reach becomes a
 * call of the runtime, which performs and records it.
 */
#include <llvm/Config/llvm-config.h>

#include "contract/abi.h"
#include "instrument/accesses/body.h"
#include "instrument/accesses/library/containers.h"
#include "instrument/accesses/library/library.h"
#include "instrument/accesses/library/streams.h"
#include "instrument/accesses/meetings.h"
#include "instrument/accesses/outside.h"
#include "instrument/instrument.h"
#include "instrument/naming/sites.h"
#include "instrument/pointers.h"

typedef void rewriter(ser_body *body, LLVMValueRef instruction, LLVMValueRef site);

/* A planned change; all are listed before the first is made. */
typedef struct task {
    LLVMValueRef instruction, site;
    rewriter *rewrite;
    ser_effect effect;        /* instead of rewrite: of a function of the C library */
    ser_outside_call outside; /* the same: it calls code that is not instrumented */
    bool meets;               /* the same: threads may meet there; after the place is known */
} task;

typedef SER_VECTOR(task) task_list;

static void pass_place(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    LLVMPositionBuilderBefore(body->unit->builder, call);
    ser_site_add_flags(body->unit, site, SER_ABI_SITE_TELLS);
    SER_CALL(body->unit, "__seriatim_at", site);
}

/* Freeing a block is an operation of its own, which the runtime records when it happens. */
static void pass_free(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    LLVMPositionBuilderBefore(body->unit->builder, call);
    ser_site_add_flags(body->unit, site, SER_ABI_SITE_TELLS);
    SER_CALL(body->unit, "__seriatim_frees", LLVMGetOperand(call, 0), site);
}

/* The call is there since the first step, without a site. */
static void pass_site(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    ser_site_add_flags(body->unit, site, ser_pointer_flags(call));
    LLVMSetOperand(call, LLVMGetNumArgOperands(call) - 1,
                   LLVMConstBitCast(site, body->unit->pointer));
}

/* A structure passed by copy is read where it is passed. */
static void pass_copied(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMPositionBuilderBefore(unit->builder, call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef type = ser_type_passed_by_copy(call, i);
        LLVMValueRef pointer = LLVMGetOperand(call, i);
        if (type && !ser_is_private(body->locality, unit, pointer))
            SER_CALL(unit, "__seriatim_range_read", pointer,
                     ser_size(unit, LLVMABISizeOfType(unit->layout, type)), site);
    }
}

static void add_task(ser_body *body, task_list *tasks, LLVMValueRef instruction, rewriter *rewrite,
                     LLVMValueRef pointer, uint64_t size)
{
    char name[SER_NAME_SIZE];
    bool named = pointer && ser_name_access(body->unit, &body->variables, pointer, size, name);
    LLVMValueRef site = ser_site_of_instruction(body->unit, instruction, named ? name : NULL);
    ser_vector_push(tasks, ((task){.instruction = instruction, .site = site, .rewrite = rewrite}));
}

/* Code that is not instrumented may read memory there. */
static void add_outside(task_list *tasks, LLVMValueRef instruction, ser_outside_call how,
                        bool meets)
{
    if (how != SER_OUTSIDE_NOT)
        ser_vector_push(tasks,
                        ((task){.instruction = instruction, .outside = how, .meets = meets}));
}

/* The runtime records what happens to a FILE at this place. What is appended to it is written
 * whatever was written before. */
static void add_place(ser_body *body, task_list *tasks, LLVMValueRef call,
                      const ser_library_function *function)
{
    LLVMValueRef file = function->file ? LLVMGetOperand(call, function->file - 1U) : NULL;
    add_task(body, tasks, call, pass_place, file, 1);
    if (function->appends)
        ser_site_add_flags(body->unit, tasks->items[tasks->count - 1].site,
                           SER_ABI_SITE_DATA | SER_ABI_SITE_MODIFIES);
}

/* Accesses by functions of the C library; pointers to memory that the call itself allocates have
 * no name. */
static void add_effects(ser_body *body, task_list *tasks, LLVMValueRef call,
                        const ser_library_function *function)
{
    ser_effect_list effects = {0};
    if (ser_library_is_recorded(function))
        add_place(body, tasks, call, function);
    ser_library_effects(function, call, &effects);
    for (size_t i = 0; i < effects.count; i++) {
        LLVMValueRef pointer = ser_effect_argument(&effects.items[i], call);
        bool has_parts = ser_effect_has_parts(&effects.items[i]);
        if (pointer && !has_parts && ser_is_private(body->locality, body->unit, pointer))
            continue;
        add_task(body, tasks, call, NULL, has_parts ? NULL : pointer, 1);
        tasks->items[tasks->count - 1].effect = effects.items[i];
    }
    ser_vector_free(&effects);
}

static void perform(ser_body *body, const task *next)
{
    if (next->meets)
        ser_tell_meetings(body, next->instruction, next->outside);
    else if (next->outside != SER_OUTSIDE_NOT)
        ser_tell_outside(body->unit, next->instruction, next->outside);
    else if (next->effect.kind)
        ser_tell_effect(body->unit, next->instruction, &next->effect, next->site);
    else
        next->rewrite(body, next->instruction, next->site);
}

/* Types without a size in memory that code could copy are left alone. */
static bool can_be_copied(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMScalableVectorTypeKind:
    case LLVMX86_AMXTypeKind:
    case LLVMTokenTypeKind:
        return false;
    default:
        return LLVMTypeIsSized(type);
    }
}

static LLVMValueRef pointer_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static LLVMTypeRef accessed_type(LLVMValueRef access)
{
    if (LLVMIsALoadInst(access))
        return LLVMTypeOf(access);
    return LLVMTypeOf(LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 0 : 1));
}

/* Accesses of types and address spaces without a runtime call count as code that is not
 * instrumented. */
static bool can_be_recorded(LLVMValueRef access)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer_of(access))) == 0 &&
           can_be_copied(accessed_type(access));
}

bool ser_is_recorded(const ser_unit *unit, ser_locality *locality, LLVMValueRef access)
{
    bool is_plain = LLVMIsALoadInst(access) || LLVMIsAStoreInst(access);
    return can_be_recorded(access) && !ser_is_private(locality, unit, pointer_of(access)) &&
           !(is_plain && ser_is_of_vtable(unit, access));
}

/* Puts what is known about the value that is read into its site. */
static void pass_flow(ser_body *body, LLVMValueRef access, LLVMValueRef site)
{
    const char *guards = ser_value_flows_guards(body->flows, access);
    ser_site_add_flags(body->unit, site, ser_value_flows_flags(body->flows, body->unit, access));
    if (guards)
        ser_site_set_guards(body->unit, site, guards);
}

static void pass_operands(ser_body *body, LLVMValueRef load, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    const ser_operands *operands = ser_value_flows_operands(body->flows, load);
    LLVMPositionBuilderBefore(unit->builder, load);
    for (unsigned i = 0; i < operands->count; i++) {
        LLVMValueRef operand = operands->items[i];
        if (LLVMIsAAllocaInst(operand))
            operand = LLVMBuildLoad2(unit->builder, LLVMGetAllocatedType(operand), operand, "");
        operand = LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind
                      ? LLVMBuildPtrToInt(unit->builder, operand, unit->i64, "")
                      : LLVMBuildZExt(unit->builder, operand, unit->i64, "");
        SER_CALL(unit, "__seriatim_operand", operand, site);
    }
}

/* Before the load that was added last, which goes away when it is rewritten. */
static void add_operands(task_list *tasks)
{
    task load = tasks->items[tasks->count - 1];
    tasks->items[tasks->count - 1].rewrite = pass_operands;
    ser_vector_push(tasks, load);
}

static void consider_access(ser_body *body, task_list *tasks, LLVMValueRef access)
{
    bool is_store = LLVMIsAStoreInst(access), is_load = LLVMIsALoadInst(access);
    if (!ser_is_recorded(body->unit, body->locality, access)) {
        if (is_load && !can_be_recorded(access))
            add_outside(tasks, access, SER_OUTSIDE_RUNS, false);
        return;
    }
    LLVMTypeRef type = accessed_type(access);
    rewriter *how = ser_rewrite_atomic;
    if ((is_load || is_store) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic)
        how = is_store ? ser_rewrite_store : ser_rewrite_load;
    add_task(body, tasks, access, how, pointer_of(access),
             LLVMStoreSizeOfType(body->unit->layout, type));
    pass_flow(body, access, tasks->items[tasks->count - 1].site);
    const ser_operands *operands = ser_value_flows_operands(body->flows, access);
    if (operands && operands->count)
        add_operands(tasks);
}

static bool copies_shared(ser_body *body, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (ser_type_passed_by_copy(call, i) &&
            !ser_is_private(body->locality, body->unit, LLVMGetOperand(call, i)))
            return true;
    return false;
}

/* May the runtime intercept something below this call? Not in functions defined here, which note
 * places themselves, nor in calls that the compiler makes. */
static bool leads_outside(LLVMValueRef call)
{
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return false;
    LLVMValueRef function = ser_called_function(call);
    if (!function)
        return true;
    const char *name = ser_called_name(call);
    return LLVMIsDeclaration(function) && !ser_starts_with(name, "llvm.") &&
           !ser_starts_with(name, "__seriatim_");
}

static void consider_call(ser_body *body, task_list *tasks, LLVMValueRef call)
{
    if (ser_is_pointer_call(call)) {
        add_task(body, tasks, call, pass_site, LLVMGetOperand(call, 0), sizeof(uint64_t));
        return;
    }
    if (ser_is_range(body, call)) {
        add_task(body, tasks, call, ser_rewrite_range, ser_range_pointer(body, call),
                 ser_range_size(call));
        return;
    }
    if (copies_shared(body, call))
        add_task(body, tasks, call, pass_copied, NULL, 0);
    ser_outside_call how = ser_goes_outside(body->unit, call);
    add_outside(tasks, call, how, false);
    const ser_library_function *known = ser_library_find(call);
    LLVMValueRef stream = ser_stream_used(call);
    if (stream)
        add_task(body, tasks, call, ser_tell_stream, stream, SER_STREAM_SIZE);
    if (ser_is_container_call(call))
        add_task(body, tasks, call, ser_rewrite_container_call, NULL, 0);
    else if (ser_asks_for_rehash(call))
        add_task(body, tasks, call, ser_tell_rehash, NULL, 0);
    else if (known)
        add_effects(body, tasks, call, known);
    else if (!stream && leads_outside(call)) {
        add_task(body, tasks, call, ser_library_frees(call) ? pass_free : pass_place, NULL, 0);
        add_outside(tasks, call, how, true);
    }
}

static void consider(ser_body *body, task_list *tasks, LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        consider_access(body, tasks, instruction);
        break;
    case LLVMCall:
    case LLVMInvoke:
        consider_call(body, tasks, instruction);
        break;
    default:
        break;
    }
}

static void list_tasks(ser_body *body, task_list *tasks)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            consider(body, tasks, instruction);
}

static void instrument_body(ser_unit *unit, ser_locality *locality, const ser_value_flows *flows,
                            LLVMValueRef function)
{
    ser_body body = {.unit = unit, .locality = locality, .flows = flows, .function = function};
    task_list tasks = {0};
    ser_variables_init(&body.variables, function);
    list_tasks(&body, &tasks);
    ser_tell_locals(&body);
    for (size_t i = 0; i < tasks.count; i++)
        perform(&body, &tasks.items[i]);
    ser_drop_small_calls(function);
    ser_vector_free(&tasks);
    ser_vector_free(&body.temporaries);
    ser_variables_fini(&body.variables);
}

/* Newer LLVM keeps the locations of variables beside the instructions, where LLVM-C does not
 * show them; they can be converted to calls. */
static void show_variables(LLVMModuleRef module, bool shown)
{
#if LLVM_VERSION_MAJOR == 19 || LLVM_VERSION_MAJOR == 20
    LLVMSetIsNewDbgInfoFormat(module, !shown);
#else
    (void)module, (void)shown;
#endif
}

void ser_instrument_accesses(LLVMModuleRef module)
{
    if (!ser_unit_claim(module, "seriatim.accesses"))
        return;
    ser_unit unit;
    ser_locality locality;
    ser_value_flows flows;
    ser_unit_init(&unit, module);
    ser_locality_init(&locality);
    show_variables(module, true);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (ser_may_instrument(&unit, function)) {
            ser_replace_library_atomics(&unit, function);
            ser_divide_copies(&unit, &locality, function);
        }
    ser_clone_for_data(&unit, &locality);
    ser_value_flows_init(&flows, &unit, &locality);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (ser_may_instrument(&unit, function))
            instrument_body(&unit, &locality, &flows, function);
    ser_mark_seen(&unit);
    show_variables(module, false);
    ser_value_flows_fini(&flows);
    ser_locality_fini(&locality);
    ser_unit_fini(&unit);
}
