// SPDX-License-Identifier: MIT
//
// What unrecorded.c needs that LLVM offers in C++ only.
#include <cstring>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "instrument/cloning.h"
#include "instrument/instrument.h"
#include "instrument/labels.h"

using namespace llvm;

char *ser_assembly_text(LLVMValueRef assembly)
{
    return strdup(std::string(unwrap<InlineAsm>(assembly)->getAsmString()).c_str());
}

bool ser_is_preemptible(LLVMValueRef global)
{
    auto *given = unwrap<GlobalValue>(global);
    return given->hasExternalLinkage() && !given->isDSOLocal();
}

bool ser_is_interposable(LLVMValueRef global)
{
    return unwrap<GlobalValue>(global)->isInterposable();
}

static bool takes_copies(const Function *function)
{
    return any_of(function->args(),
                  [](const Argument &argument) { return argument.hasByValAttr(); });
}

static bool is_coroutine(const Function *function)
{
#if LLVM_VERSION_MAJOR >= 15
    return function->isPresplitCoroutine();
#else
    return function->hasFnAttribute("coroutine.presplit");
#endif
}

bool ser_can_hand_on_arguments(LLVMValueRef function)
{
    auto *given = unwrap<Function>(function);
    return !takes_copies(given) || (!given->isVarArg() && !is_coroutine(given));
}

bool ser_has_labels_outside(LLVMValueRef function)
{
    ser_tables tables;
    return !ser_find_tables(unwrap<Function>(function), tables);
}

// Others in the object may not refer to what goes away with a group of sections, unless it has a
// name that all objects know.
bool ser_is_tied_to_group(LLVMValueRef function)
{
    auto *given = unwrap<Function>(function);
    return given->hasComdat() && !given->hasLinkOnceODRLinkage() && !given->hasWeakODRLinkage() &&
           !given->isInterposable();
}

// Functions that every object has for itself (inline, templates): so are their copies, under a name
// of their own. Copies that could be replaced by another definition are local to this one. Others
// are seen where the function is, so that backtraces name them.
static void place_copy(Function *original, Function *copy)
{
    copy->setVisibility(GlobalValue::DefaultVisibility);
    if (original->hasLinkOnceODRLinkage() || original->hasWeakODRLinkage()) {
        copy->setLinkage(GlobalValue::LinkOnceODRLinkage);
        copy->setVisibility(GlobalValue::HiddenVisibility);
        if (original->hasComdat())
            copy->setComdat(original->getParent()->getOrInsertComdat(copy->getName()));
    } else if (original->hasLocalLinkage() || original->isInterposable()) {
        copy->setLinkage(GlobalValue::InternalLinkage);
    } else {
        copy->setVisibility(original->hasDefaultVisibility() ? GlobalValue::ProtectedVisibility
                                                             : original->getVisibility());
    }
    copy->setDSOLocal(true);
}

LLVMValueRef ser_copy_beside(LLVMValueRef function, const char *suffix)
{
    ValueToValueMapTy values;
    ser_tables tables;
    auto *original = unwrap<Function>(function);
    ser_find_tables(original, tables);
    Function *copy = ser_clone(original, values);
    ser_copy_tables(copy, tables, values);
    copy->setName(original->getName() + suffix);
    place_copy(original, copy);
    return wrap(copy);
}

// A call that is a jump: arguments stay where they are, however many there are. Not with structures
// passed by copy: LLVM 14 puts another copy of them where the stack ends, over what is kept there.
static void jump(IRBuilder<> &builder, Function *function, Function *target)
{
    SmallVector<Value *, 8> arguments;
    for (Argument &argument : function->args())
        arguments.push_back(&argument);
    CallInst *call = builder.CreateCall(target, arguments);
    call->setCallingConv(function->getCallingConv());
    call->setAttributes(target->getAttributes().removeFnAttributes(function->getContext()));
    call->setTailCallKind(takes_copies(function) ? CallInst::TCK_NoTail : CallInst::TCK_MustTail);
    call->setIsNoInline();
    if (DISubprogram *place = function->getSubprogram())
        call->setDebugLoc(DILocation::get(function->getContext(), place->getLine(), 0, place));
    if (function->getReturnType()->isVoidTy())
        builder.CreateRetVoid();
    else
        builder.CreateRet(call);
}

// Locals stay at the start: elsewhere they would be made anew at run time.
static void move_locals(BasicBlock *from, BasicBlock *to)
{
    for (auto next = from->begin(); next != from->end();) {
        auto *local = dyn_cast<AllocaInst>(&*next++);
        if (local && isa<ConstantInt>(local->getArraySize()))
            local->moveBefore(*to, to->end());
    }
}

// The body becomes a function of its own, so that nothing of its frame is made before the test.
static Function *move_body(Function *function)
{
    Function *body = Function::Create(function->getFunctionType(), function->getLinkage(),
                                      function->getName() + ".recorded", function->getParent());
    body->copyAttributesFrom(function);
    place_copy(function, body);
    body->setPrefixData(nullptr);
    body->setSubprogram(function->getSubprogram());
    function->setSubprogram(nullptr);
    function->setPersonalityFn(nullptr);
    function->removeFnAttr("coroutine.presplit");
#if LLVM_VERSION_MAJOR >= 15
    function->removeFnAttr(Attribute::PresplitCoroutine);
#endif
#if LLVM_VERSION_MAJOR >= 16
    body->splice(body->begin(), function);
#else
    body->getBasicBlockList().splice(body->begin(), function->getBasicBlockList());
#endif
    for (Argument &argument : function->args()) {
        Argument *own = body->getArg(argument.getArgNo());
        own->takeName(&argument);
        argument.replaceAllUsesWith(own);
    }
    return body;
}

static bool can_move_body(Function *function)
{
    return !takes_copies(function) &&
           none_of(*function, [](const BasicBlock &block) { return block.hasAddressTaken(); });
}

LLVMValueRef ser_begin_with_jump(LLVMValueRef function, LLVMValueRef copy, const char *flag)
{
    auto *original = unwrap<Function>(function);
    LLVMContext &context = original->getContext();
    Function *moved = can_move_body(original) ? move_body(original) : nullptr;
    BasicBlock *body =
        moved ? BasicBlock::Create(context, "", original) : &original->getEntryBlock();
    BasicBlock *leave = BasicBlock::Create(context, "", original, body);
    BasicBlock *entry = BasicBlock::Create(context, "", original, leave);
    move_locals(body, entry);
    IRBuilder<> builder(entry);
    Value *chosen = original->getParent()->getOrInsertGlobal(flag, builder.getInt8Ty());
    Value *is_set = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), chosen));
    const unsigned often = 1000;
    builder.CreateCondBr(is_set, leave, body, MDBuilder(context).createBranchWeights(often, 1));
    builder.SetInsertPoint(leave);
    jump(builder, original, unwrap<Function>(copy));
    builder.SetInsertPoint(body);
    if (!moved)
        return function;
    jump(builder, original, moved);
    return wrap(moved);
}
