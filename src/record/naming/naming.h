/* SPDX-License-Identifier: MIT */
/*
 * naming.h - the door of src/record/naming: what the things of a recording are called.
 *
 *     fields.h   first pass: what sites call the places in the blocks that they access
 *     labels.h   second pass: names of variables, locks, threads, functions and places, made of
 *                these and of the program's debug information, and made unique
 *
 * Other folders include this header alone.
 */
#ifndef SER_RECORD_NAMING_NAMING_H
#define SER_RECORD_NAMING_NAMING_H

#include "record/naming/fields.h"
#include "record/naming/labels.h"

#endif
