/* SPDX-License-Identifier: MIT */
/*
 * patterns.h - which classes are recorded, as the user wants it, and what they are rewritten to.
 *
 * The recorder passes what the command line says in the environment. Patterns are separated by
 * commas; `*` stands for any characters: com.shop.*,org.lib.Cache.
 */
#ifndef SER_JAVA_AGENT_PATTERNS_H
#define SER_JAVA_AGENT_PATTERNS_H

#include "java/classfile/rewrite.h"

/* What is done with a class, by its name with slashes; false: it stays as it is. */
bool ser_class_mode_of(const char *name, ser_class_mode *mode);
/* Writes the rewritten class into the folder that the user has named, if any. */
void ser_class_dump(const char *name, const ser_bytes *bytes);

#endif
