// SPDX-License-Identifier: MIT
//
// labels.h - tables of labels (&&label), for copies of the functions that have the labels.
#ifndef SER_INSTRUMENT_LABELS_H
#define SER_INSTRUMENT_LABELS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using ser_tables = llvm::SmallVector<llvm::GlobalVariable *, 2>;

// Finds the tables with labels of the function. False: labels are in other data, or the function
// does more with a table than to read it, so that there can only be one.
bool ser_find_tables(llvm::Function *function, ser_tables &tables);

// The copy gets its own tables, with its own labels; `values` maps from the function to the copy.
void ser_copy_tables(llvm::Function *copy, const ser_tables &tables,
                     llvm::ValueToValueMapTy &values);

#endif
