/* SPDX-License-Identifier: MIT */
/*
 * task_search.h - a search engine that only the tests use.
 *
 * It runs a task by the words of predict/task.h, remembers the states it was in, and
 * is otherwise as simple as can be. Where it goes wrong, the task is: so mistakes in
 * tasks and segments are told from mistakes of the real engines.
 */
#ifndef SER_ORACLE_TASK_SEARCH_H
#define SER_ORACLE_TASK_SEARCH_H

#include "predict/search.h"

extern const ser_search_engine task_search_engine;

#endif
