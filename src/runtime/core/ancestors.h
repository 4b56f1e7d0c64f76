/* SPDX-License-Identifier: MIT */
/*
 * ancestors.h - the channel of a program that was not started by the recorder itself.
 *
 * Most programs leave the descriptor of the channel open for those that they start, as a shell
 * does. Others close all descriptors first, as Python's subprocess does: then the one that was
 * started finds it with its parent, or with a parent of that.
 */
#ifndef SER_RUNTIME_CORE_ANCESTORS_H
#define SER_RUNTIME_CORE_ANCESTORS_H

/* A descriptor of what may be a channel; -1: no parent has one. Some system calls. */
int ser_ancestors_channel(void);

#endif
