// SPDX-License-Identifier: MIT
//
// Small functions in the place of their calls, also those that must not be inlined: what a value
// that was read decides, and of what a stored value is made, is only seen within a function.
// Their calls are recorded before, so nothing but that changes in a trace. Copies for runs without
// a recorder stay as they are, and so does everything without optimisation.
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "instrument/instrument.h"

using namespace llvm;

namespace
{

constexpr unsigned most_instructions = 150; // of a callee, our calls among them
constexpr unsigned most_of_caller = 2000;   // which gets no more then

// Memory of a size that is only known at run time would grow with each round of a loop.
bool is_variable_local(const Instruction &instruction)
{
    auto *local = dyn_cast<AllocaInst>(&instruction);
    return local && !local->isStaticAlloca();
}

bool knows_its_place(const Instruction &instruction)
{
    auto *call = dyn_cast<CallBase>(&instruction);
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    bool asks = intrinsic && (intrinsic->getIntrinsicID() == Intrinsic::returnaddress ||
                              intrinsic->getIntrinsicID() == Intrinsic::frameaddress ||
                              intrinsic->getIntrinsicID() == Intrinsic::addressofreturnaddress ||
                              intrinsic->getIntrinsicID() == Intrinsic::stackguard);
    return asks || is_variable_local(instruction) ||
           (call && call->hasFnAttr(Attribute::ReturnsTwice)) || (call && call->isInlineAsm());
}

// A function that its author keeps apart, and that is small enough to be anywhere.
bool is_small(Function &function)
{
    if (function.isDeclaration() || function.isInterposable() || function.isVarArg() ||
        !function.hasFnAttribute(Attribute::NoInline) ||
        function.hasFnAttribute(Attribute::Naked) || function.hasPersonalityFn() ||
        function.getInstructionCount() > most_instructions || !isInlineViable(function).isSuccess())
        return false;
    for (BasicBlock &block : function)
        for (Instruction &instruction : block) {
            auto *call = dyn_cast<CallBase>(&instruction);
            if (knows_its_place(instruction) || (call && call->getCalledFunction() == &function))
                return false;
        }
    return true;
}

bool may_take(Function &caller, CallBase &call, ser_function_filter *accepts, void *data)
{
    Function *callee = call.getCalledFunction();
    return callee && callee != &caller && is_small(*callee) && !call.isMustTailCall() &&
           !call.hasByValArgument() && accepts(wrap(callee), data) &&
           call.getFunctionType() == callee->getFunctionType() &&
           call.getCallingConv() == callee->getCallingConv();
}

// Where the lives of its locals begin is a place in the callee.
void place_lives(const InlineFunctionInfo &info, DILocation *place)
{
    for (AllocaInst *local : info.StaticAllocas)
        for (User *user : local->users()) {
            auto *cast = dyn_cast<BitCastInst>(user);
            auto *begins =
                dyn_cast<IntrinsicInst>(cast && cast->hasOneUse() ? cast->user_back() : user);
            if (begins && begins->getIntrinsicID() == Intrinsic::lifetime_start &&
                !begins->getDebugLoc())
                begins->setDebugLoc(place);
        }
}

// NULL without debug information.
DILocation *place_in(const CallInst &call)
{
    DISubprogram *callee = call.getCalledFunction()->getSubprogram();
    DILocation *caller = call.getDebugLoc();
    return callee && caller
               ? DILocation::get(call.getContext(), callee->getLine(), 0, callee, caller)
               : nullptr;
}

// One call of the function at a time; false: there is none left.
bool inline_one(Function &caller, ser_function_filter *accepts, void *data)
{
    for (BasicBlock &block : caller)
        for (Instruction &instruction : block) {
            auto *call = dyn_cast<CallInst>(&instruction);
            if (!call || !may_take(caller, *call, accepts, data))
                continue;
            InlineFunctionInfo info;
            DILocation *place = place_in(*call);
            if (!InlineFunction(*call, info).isSuccess())
                continue;
            if (place)
                place_lives(info, place);
            return true;
        }
    return false;
}

} // namespace

void ser_inline_into(LLVMValueRef function, ser_function_filter *accepts, void *data)
{
    auto *caller = unwrap<Function>(function);
    while (caller->getInstructionCount() < most_of_caller && inline_one(*caller, accepts, data))
        ;
}
