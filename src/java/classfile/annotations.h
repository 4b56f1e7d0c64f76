/* SPDX-License-Identifier: MIT */
/*
 * annotations.h - is a method annotated as atomic (seriatim.Atomic)? Inside of this folder.
 */
#ifndef SER_JAVA_CLASSFILE_ANNOTATIONS_H
#define SER_JAVA_CLASSFILE_ANNOTATIONS_H

#include "java/classfile/format/pool.h"

/* `attributes` are those of a method, their count first. */
bool ser_has_atomic_annotation(ser_pool *pool, ser_view attributes);

#endif
