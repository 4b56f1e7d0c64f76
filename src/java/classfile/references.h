/* SPDX-License-Identifier: MIT */
/*
 * references.h - references to methods of the library (`results::add`, `lock::lock`) become small
 * methods of the class, as compilers do with lambda expressions: calls in them can get hooks.
 */
#ifndef SER_JAVA_CLASSFILE_REFERENCES_H
#define SER_JAVA_CLASSFILE_REFERENCES_H

#include "java/classfile/rewrite.h"

/* True: `out` is the class with such methods, to be freed. False: there is nothing to do, or it is
 * not understood. */
bool ser_class_spell_references(const uint8_t *bytes, size_t size, ser_class_mode mode,
                                ser_bytes *out);

#endif
