/* SPDX-License-Identifier: MIT */
/*
 * world_values.h - states with values: what variables hold, and which reads had another value than
 * in the trace (values/task_values.h).
 *
 * All values are numbered, so that a state is a row of small numbers. What a variable holds is
 * part of the fingerprint; so is what a read had, until the last step that names it.
 * Only of a world with values.
 */
#ifndef SER_PREDICT_STATES_WORLD_VALUES_H
#define SER_PREDICT_STATES_WORLD_VALUES_H

#include "predict/states/world.h"

void ser_world_values_init(ser_world *world);
void ser_world_values_fini(ser_world *world);

/* Is the move a barrier for its thread? */
bool ser_world_is_at_barrier(const ser_world *world, uint32_t first);

/* Would the read be broken now? */
bool ser_world_breaks_by_value(const ser_world *world, uint32_t read);

/* Would it be broken or altered, once its thread gets there, after the own write, if there is one
 * (else SER_TASK_NONE)? Nothing but its thread's own steps comes before it. True also if that is
 * not known. */
bool ser_world_may_differ(const ser_world *world, uint32_t read, uint32_t own_write);

/* A step happens: what its thread writes is dirty from now on, if it is a barrier. */
void ser_world_pass_barrier(ser_world *world, uint32_t step);

/* Does something depend on the read, so that its thread stops if it is broken? What a limit says of
 * its thread's own variable (model/data_limits.h) counts only if guards cannot fail by what other
 * reads had. */
bool ser_world_is_guard(const ser_world *world, uint32_t read);

/* A read happens that is not broken: is it altered? */
void ser_world_note_read(ser_world *world, uint32_t read);

/* A broken step happens. True: it is an update that has read a value which is known, and writes
 * what it makes of that. */
bool ser_world_note_broken_update(ser_world *world, uint32_t update);

/* A write happens that is not dirty so far; called when it is the last of its variable. */
void ser_world_note_write(ser_world *world, uint32_t write);

/* The number of what a variable holds; 0: that is not known. */
uint32_t ser_world_number_held(ser_world *world, uint32_t variable);

/* The step has happened: what reads had may be forgotten. */
void ser_world_forget_reads(ser_world *world, uint32_t step);

/* Shows the value of a variable in the fingerprint; false if more than that matters. */
bool ser_world_show_value(ser_world *world, uint32_t variable);

#endif
