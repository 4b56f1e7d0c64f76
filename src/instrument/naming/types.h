/* SPDX-License-Identifier: MIT */
/*
 * types.h - structures of the source by their names, from debug information.
 *
 * The types of a module are indexed when the first is asked for. Names have no template arguments,
 * since LLVM's own names have none.
 */
#ifndef SER_INSTRUMENT_NAMING_TYPES_H
#define SER_INSTRUMENT_NAMING_TYPES_H

#include "instrument/unit.h"

enum { SER_TYPE_NAME_SIZE = 512 };

/*
 * The types with members that have the (qualified) name, one per call; there may be
 * several, as instances of a template. The cursor starts as 0. NULL: no more.
 */
LLVMValueRef ser_types_find(ser_unit *unit, const char *name, uint32_t *cursor);

/* std::vector<int>::x becomes std::vector::x, in place. */
void ser_drop_template_arguments(char *name);

void ser_types_destroy(struct ser_types *types);

#endif
