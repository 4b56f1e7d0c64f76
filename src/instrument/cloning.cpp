// SPDX-License-Identifier: MIT
//
// The mapper of LLVM copies every node of metadata that a copied instruction leads to, unless it is
// mapped already. So everything that is to stay (types, functions that were inlined) is mapped to
// itself, where it is named first; what it leads to is not looked at any more.
#include "instrument/cloning.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace
{

class kept_metadata
{
  public:
    kept_metadata(const DISubprogram *of, ValueToValueMapTy &to) : own(of), values(to) {}

    // All that the description names stays, but for the function's own variables.
    void see(const DISubprogram &described)
    {
        const Metadata *retained = described.getRetainedNodes().get();
        for (const MDOperand &operand : described.operands())
            if (operand.get() != retained)
                keep(operand.get());
        for (DINode *node : described.getRetainedNodes())
            if (auto *variable = dyn_cast_or_null<DILocalVariable>(node))
                keep_type(variable);
    }

    void see(const Instruction &instruction)
    {
        keep_functions(instruction.getDebugLoc().get());
        if (const MDNode *loop = instruction.getMetadata(LLVMContext::MD_loop))
            for (const MDOperand &operand : loop->operands())
                keep_functions(dyn_cast_or_null<DILocation>(operand.get()));
        if (auto *variable = dyn_cast<DbgVariableIntrinsic>(&instruction))
            keep_type(variable->getVariable());
        if (auto *label = dyn_cast<DbgLabelInst>(&instruction))
            keep_scope(label->getLabel()->getScope());
    }

  private:
    const DISubprogram *own;
    ValueToValueMapTy &values;

    void keep(Metadata *node)
    {
        if (node)
            values.MD().try_emplace(node, node);
    }

    // Blocks of the function itself become blocks of its copy.
    void keep_scope(DILocalScope *scope)
    {
        if (!scope || scope->getSubprogram() == own)
            return;
        for (DIScope *at = scope; at && !isa<DISubprogram>(at); at = at->getScope())
            keep(at);
        keep(scope->getSubprogram());
    }

    void keep_functions(const DILocation *location)
    {
        for (; location; location = location->getInlinedAt())
            keep_scope(location->getScope());
    }

    void keep_type(DILocalVariable *variable)
    {
        keep(variable->getType());
        keep_scope(variable->getScope());
    }
};

Function *declare_like(Function *original, ValueToValueMapTy &values)
{
    Function *copy =
        Function::Create(original->getFunctionType(), original->getLinkage(),
                         original->getAddressSpace(), original->getName(), original->getParent());
    auto *argument = copy->arg_begin();
    for (Argument &given : original->args()) {
        argument->setName(given.getName());
        values[&given] = &*argument++;
    }
    return copy;
}

} // namespace

Function *ser_clone(Function *original, ValueToValueMapTy &values)
{
    Function *copy = declare_like(original, values);
    if (DISubprogram *described = original->getSubprogram()) {
        kept_metadata kept(described, values);
        kept.see(*described);
        for (BasicBlock &block : *original)
            for (Instruction &instruction : block)
                kept.see(instruction);
    }
    // As if the module was copied as well, so that LLVM does not look for types itself.
    SmallVector<ReturnInst *, 8> returns;
    CloneFunctionInto(copy, original, values, CloneFunctionChangeType::ClonedModule, returns);
    return copy;
}
