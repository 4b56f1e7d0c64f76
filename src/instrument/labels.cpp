// SPDX-License-Identifier: MIT
#include "instrument/labels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

// Through addresses of entries to loads, in this function only.
static bool is_only_read(const Value *pointer, const Function *reader)
{
    return all_of(pointer->users(), [&](const User *user) {
        auto *instruction = dyn_cast<Instruction>(user);
        if (instruction && instruction->getFunction() != reader)
            return false;
        if (isa<LoadInst>(user))
            return true;
        bool derives = isa<GetElementPtrInst>(user) || isa<BitCastInst>(user);
        return (derives || isa<ConstantExpr>(user)) && is_only_read(user, reader);
    });
}

// Everything that a label is in, up to the tables.
static bool collect(Constant *label, const Function *reader, ser_tables &tables)
{
    for (User *user : label->users()) {
        auto *table = dyn_cast<GlobalVariable>(user);
        auto *around = dyn_cast<Constant>(user);
        if (table ? !table->hasLocalLinkage() || !is_only_read(table, reader)
                  : around && !collect(around, reader, tables))
            return false;
        if (table && !is_contained(tables, table))
            tables.push_back(table);
    }
    return true;
}

bool ser_find_tables(Function *function, ser_tables &tables)
{
    return all_of(*function, [&](BasicBlock &block) {
        BlockAddress *label = block.hasAddressTaken() ? BlockAddress::lookup(&block) : nullptr;
        return !label || collect(label, function, tables);
    });
}

void ser_copy_tables(Function *copy, const ser_tables &tables, ValueToValueMapTy &values)
{
    ValueToValueMapTy own;
    for (GlobalVariable *table : tables) {
        auto *made = new GlobalVariable(
            *table->getParent(), table->getValueType(), table->isConstant(), table->getLinkage(),
            MapValue(table->getInitializer(), values), table->getName() + ".unrecorded");
        made->copyAttributesFrom(table);
        own[table] = made;
    }
    if (!tables.empty())
        for (Instruction &instruction : instructions(copy))
            RemapInstruction(&instruction, own, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
}
