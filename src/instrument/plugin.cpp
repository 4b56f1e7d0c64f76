// SPDX-License-Identifier: MIT
//
// The part of the instrumenter that LLVM offers in C++ only: being a plugin,
// choosing a place in the pipeline, catching exceptions that pass through, and names.
#include <cxxabi.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/Error.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>

#include "instrument/cloning.h"
#include "instrument/instrument.h"

namespace
{

template <void (*step)(LLVMModuleRef)> struct Step : llvm::PassInfoMixin<Step<step>> {
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
    {
        step(llvm::wrap(&module));
        return llvm::PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// Functions that are always inlined are so without optimisation, too. Locals in registers make
// functions small enough to be inlined.
const char between[] = "always-inline,function(sroa),cgscc(inline,function(sroa))";

void register_steps(llvm::PassBuilder &builder)
{
    builder.registerPipelineStartEPCallback(
        [&builder](llvm::ModulePassManager &passes, auto &&...) {
            passes.addPass(Step<ser_copy_functions>());
            passes.addPass(Step<ser_instrument_functions>());
            llvm::cantFail(builder.parsePassPipeline(passes, between));
            passes.addPass(Step<ser_inline_small_functions>());
            llvm::cantFail(builder.parsePassPipeline(passes, "function(sroa)"));
            passes.addPass(Step<ser_instrument_accesses>());
            passes.addPass(Step<ser_choose_copies>());
        });
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
        passes.addPass(Step<ser_leave_calls_to_others>());
    });
}

} // namespace

void ser_for_each_exit(LLVMValueRef function, ser_exit_visitor *visit, void *data)
{
    llvm::EscapeEnumerator exits(*llvm::unwrap<llvm::Function>(function), "seriatim.unwind");
    while (llvm::IRBuilder<> *builder = exits.Next())
        visit(llvm::wrap(builder), data);
}

LLVMValueRef ser_clone_function(LLVMValueRef function, const char *suffix)
{
    llvm::ValueToValueMapTy values;
    auto *original = llvm::unwrap<llvm::Function>(function);
    llvm::Function *copy = ser_clone(original, values);
    copy->setName(original->getName() + suffix);
    copy->setComdat(nullptr);
    copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    return llvm::wrap(copy);
}

void ser_empty_function(LLVMValueRef function)
{
    auto *emptied = llvm::unwrap<llvm::Function>(function);
    llvm::DISubprogram *described = emptied->getSubprogram();
    emptied->dropAllReferences();
    emptied->setSubprogram(described);
}

// Twice, so that the code stays aligned.
void ser_put_before_function(LLVMValueRef function, uint64_t number)
{
    auto *changed = llvm::unwrap<llvm::Function>(function);
    const uint64_t numbers[] = {number, number};
    changed->setPrefixData(llvm::ConstantDataArray::get(changed->getContext(), numbers));
}

bool ser_promises_more(LLVMValueRef instruction)
{
    auto *operation = llvm::unwrap<llvm::Instruction>(instruction);
    if (auto *arithmetic = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(operation))
        return arithmetic->hasNoUnsignedWrap();
    if (auto *real = llvm::dyn_cast<llvm::FPMathOperator>(operation))
        return real->getFastMathFlags().any();
    return operation->hasPoisonGeneratingFlags();
}

bool ser_wraps_around(LLVMValueRef instruction)
{
    auto *arithmetic = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(
        llvm::unwrap<llvm::Instruction>(instruction));
    return arithmetic && !arithmetic->hasNoSignedWrap() && !arithmetic->hasNoUnsignedWrap();
}

struct ser_dominance {
    llvm::DominatorTree tree;
};

ser_dominance *ser_dominance_create(LLVMValueRef function)
{
    return new ser_dominance{llvm::DominatorTree(*llvm::unwrap<llvm::Function>(function))};
}

void ser_dominance_destroy(ser_dominance *dominance)
{
    delete dominance;
}

bool ser_dominates(const ser_dominance *dominance, LLVMValueRef instruction, LLVMValueRef later)
{
    return dominance->tree.dominates(llvm::unwrap<llvm::Instruction>(instruction),
                                     llvm::unwrap<llvm::Instruction>(later));
}

char *ser_llvm_demangle(const char *symbol)
{
    int status;
    return llvm::StringRef(symbol).substr(0, 2) == "_Z"
               ? abi::__cxa_demangle(symbol, nullptr, nullptr, &status)
               : nullptr;
}

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "seriatim-instrument", SER_VERSION, register_steps};
}
