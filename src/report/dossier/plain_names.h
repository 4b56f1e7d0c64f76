/* SPDX-License-Identifier: MIT */
/*
 * plain_names.h - the variables of a run by the names that a programmer uses.
 *
 * Recorded names say all that is known, "balance of struct account (alice+40)"; the programmer
 * wrote alice.balance. Where two variables would get one name (elements of an array), both keep
 * what distinguishes them: accounts+40.balance; so do all in a run of very many variables, whose
 * names are made only when they are asked for. An object on the heap goes by the variable that
 * points to it, queue->head, where there is one (pointers.h), else by the line that allocated it:
 * Queue{q.cc:18 (1st)}->head; if that is a line of a library, by the function of the program that
 * called it: pair{Shop::add() (1st)}->second (library_objects.h). Names of threads, conditions and
 * functions stay as they are.
 *
 * Memory: a few words per variable. Read-only once made.
 */
#ifndef SER_REPORT_DOSSIER_PLAIN_NAMES_H
#define SER_REPORT_DOSSIER_PLAIN_NAMES_H

#include "order/run.h"

typedef struct ser_plain_names ser_plain_names;

ser_plain_names *ser_plain_names_create(const ser_run *run);
void ser_plain_names_destroy(ser_plain_names *names);

/* What an operation names: "" for SER_NO_OBJECT. Valid as long as the names. */
const char *ser_plain_name(const ser_plain_names *names, ser_space space, uint32_t number);

/* Of a variable by its recorded name, which it is if there is no such variable. */
const char *ser_plain_name_of(const ser_plain_names *names, const char *recorded);

/* Of one recorded name; with `exact` it keeps the offset. To be freed. */
char *ser_make_plain_name(const char *recorded, bool exact);

/* How much of a plain name the program has given: "table" of "table._M_finish" and
 * "table+8._M_finish", since the members of the library's classes say nothing to the reader. All of
 * it if it begins so. */
size_t ser_own_name_length(const char *variable);

#endif
