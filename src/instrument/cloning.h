/* SPDX-License-Identifier: MIT */
/*
 * cloning.h - copies of functions at a cost that does not grow with the module.
 *
 * LLVM's CloneFunction looks at every type of the module's debug information for each function that
 * it copies, so as to leave the types where they are: with headers full of templates that took
 * longer than everything else the compiler does. Here only what the function itself names is looked
 * at.
 */
#ifndef SER_INSTRUMENT_CLONING_H
#define SER_INSTRUMENT_CLONING_H

#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

/* A copy in the same module, with a description (DISubprogram) of its own. `values` maps from the
 * original to it. */
llvm::Function *ser_clone(llvm::Function *original, llvm::ValueToValueMapTy &values);

#endif
