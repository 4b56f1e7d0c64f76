/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - the names of a trace: threads, variables, locks, ..., sites; its notes.
 *
 * One name space (ser_space) for each kind of operand, and one for sites. A
 * site is a location (any text, "bank.c:42" say) and, where it is known, the
 * function it lies in (a number in SER_SPACE_FUNCTION).
 * Numbers are dense, from 0, in order of first appearance in the trace.
 * Not thread-safe.
 */
#ifndef SER_TRACE_SYMBOLS_H
#define SER_TRACE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"
#include "trace/span.h"

typedef struct ser_symbols ser_symbols;

ser_symbols *ser_symbols_create(void);
void ser_symbols_destroy(ser_symbols *symbols);

/* The number of a name, added if it is new. */
uint32_t ser_symbols_add(ser_symbols *symbols, ser_space space, const char *text, size_t length);

/* For recorders, whose traces may have millions of names: see ser_names_append, ser_names_rename
 * and ser_names_forget. The names of a space are either all added or all appended. */
uint32_t ser_symbols_append(ser_symbols *symbols, ser_space space, const char *text, size_t length);
void ser_symbols_rename(ser_symbols *symbols, ser_space space, uint32_t number, const char *text,
                        size_t length);
void ser_symbols_forget(ser_symbols *symbols, ser_space space, uint32_t end);

/* See ser_names_prefetch. */
void ser_symbols_prefetch(const ser_symbols *symbols, ser_space space, const char *text,
                          size_t length, int step);

/* The name of a number; NUL-terminated, valid as long as symbols. For SER_NO_OBJECT the empty
 * string. A long one is shortened in the same way wherever it appears (SER_NAMES_BRIEF), since
 * names come from untrusted files: what is made of names, such as a report, stays small. Code that
 * writes names to be read again, or compares them with what a user gave, takes whole ones. */
const char *ser_symbols_name(const ser_symbols *symbols, ser_space space, uint32_t number);

ser_span ser_symbols_whole_name(const ser_symbols *symbols, ser_space space, uint32_t number);

/* Recorders name threads T0, T1, ... in the order of their creation. Only these two turn such a
 * number into a name and back; code that needs the number asks once, and keeps it. SER_NO_OBJECT if
 * the name is of another kind. */
uint32_t ser_symbols_add_thread(ser_symbols *symbols, uint32_t number);
uint32_t ser_symbols_thread_number(const ser_symbols *symbols, uint32_t thread);
size_t ser_symbols_name_length(const ser_symbols *symbols, ser_space space, uint32_t number);
uint32_t ser_symbols_count(const ser_symbols *symbols, ser_space space);

/* Sites. function is SER_NO_OBJECT where it is not known. */
uint32_t ser_symbols_add_site(ser_symbols *symbols, const char *location, size_t length,
                              uint32_t function);
/* As names: for SER_NO_SITE "", shortened and whole. */
const char *ser_symbols_location(const ser_symbols *symbols, uint32_t site);
ser_span ser_symbols_whole_location(const ser_symbols *symbols, uint32_t site);
size_t ser_symbols_location_length(const ser_symbols *symbols, uint32_t site);
/* The same, escaped for printing (base/output/show.h), for columns whose width is measured. Valid
 * as long as symbols. */
const char *ser_symbols_shown_name(const ser_symbols *symbols, ser_space space, uint32_t number);
const char *ser_symbols_shown_location(const ser_symbols *symbols, uint32_t site);

/* SER_NO_OBJECT for SER_NO_SITE. */
uint32_t ser_symbols_site_function(const ser_symbols *symbols, uint32_t site);
uint32_t ser_symbols_site_count(const ser_symbols *symbols);

/* Guards of reads (event.h), as text: the number plus one, or 0 if there are SER_GUARDS_MOST
 * already; and the text of such a number, which is not 0. */
uint32_t ser_symbols_add_guards(ser_symbols *symbols, const char *text, size_t length);
const char *ser_symbols_guards(const ser_symbols *symbols, uint32_t number);
size_t ser_symbols_guards_length(const ser_symbols *symbols, uint32_t number);
uint32_t ser_symbols_guards_count(const ser_symbols *symbols);

/* Notes: messages from the recorder or converter that wrote the trace to its readers, one sentence
 * each ("recording stopped at its limit"). Complete once the whole trace was read. A note is not
 * added twice. */
void ser_symbols_add_note(ser_symbols *symbols, const char *text, size_t length);
const char *ser_symbols_note(const ser_symbols *symbols, uint32_t number);
ser_span ser_symbols_whole_note(const ser_symbols *symbols, uint32_t number);
size_t ser_symbols_note_length(const ser_symbols *symbols, uint32_t number);
uint32_t ser_symbols_note_count(const ser_symbols *symbols);

#endif
