/* SPDX-License-Identifier: MIT */
/*
 * managed.h - names of variables and locks of objects without address (contract/managed.h), as
 * Java programmers write them: Cart@1f.items, int[]@2c[3], Cart.count, Cart@1f;
 * keys of a map are counted: HashMap@30{key 2}.
 */
#ifndef SER_RECORD_NAMING_MANAGED_H
#define SER_RECORD_NAMING_MANAGED_H

#include "record/capture/definitions.h"
#include "record/naming/label_text.h"

/* `name` is the name of a field, with its class: "Cart.items"; NULL: there is none. */
void ser_managed_say(const ser_definitions *definitions, uint64_t address, const char *name,
                     ser_label_text *text);

#endif
