/* SPDX-License-Identifier: MIT */
/*
 * demangle.h - names of C++ as people write them: "_ZN4bank5totalE" is "bank::total".
 */
#ifndef SER_RECORD_NAMING_DEBUG_DEMANGLE_H
#define SER_RECORD_NAMING_DEBUG_DEMANGLE_H

/* What the linker's name stands for; itself, if it is none of C++. To be freed. */
char *ser_demangle(const char *name);

#endif
