/* SPDX-License-Identifier: MIT */
/*
 * function_survey.h - heuristic: which functions were probably meant to be atomic?
 *
 * Those of which some call touches shared data at least twice (itself or in what
 * it calls; shared is a variable that two threads access anywhere in the trace), and of
 * which no call forks or joins a thread, or waits, in the middle of what it does to such data, for
 * a semaphore that is not used as a lock. (Other waits cut blocks.) One that waits, and then calls
 * a function that does all of it, gives way to that one. Nor is one that holds most of its thread's
 * run and calls functions with critical sections again and again, such as an event loop: what it
 * calls is looked at instead. A function that a thread calls first of all, with nothing else on its
 * stack, is its whole work, and that is seldom meant to be atomic: only if it takes no lock,
 * updates nothing atomically, calls nothing that touches shared data, and reaches each place only
 * once, or twice for different variables (reads of what does not change while it is shared, such as
 * a pointer to the data, do not count as places).
 *
 * Two rounds over the validated trace: the first finds what is shared, and
 * whether there are markers and calls at all; the second looks at the calls.
 * Cost: O(1) per event. Memory: O(variables + functions + open calls).
 */
#ifndef SER_TRACE_BLOCKS_FUNCTION_SURVEY_H
#define SER_TRACE_BLOCKS_FUNCTION_SURVEY_H

#include "trace/event.h"

typedef struct ser_function_survey ser_function_survey;

ser_function_survey *ser_function_survey_create(void);
void ser_function_survey_destroy(ser_function_survey *survey);

/* First round. */
void ser_function_survey_sharing(ser_function_survey *survey, const ser_event *events,
                                 size_t count);
bool ser_function_survey_saw_markers(const ser_function_survey *survey);
bool ser_function_survey_saw_calls(const ser_function_survey *survey);

/* Second round, and its end. */
void ser_function_survey_calls(ser_function_survey *survey, const ser_event *events, size_t count);
void ser_function_survey_finish(ser_function_survey *survey);

/* The answer, after the second round. */
bool ser_function_survey_names(const ser_function_survey *survey, uint32_t function);
/* Does a thread call it first of all? */
bool ser_function_survey_is_root(const ser_function_survey *survey, uint32_t function);
bool ser_function_survey_is_shared(const ser_function_survey *survey, uint32_t variable);
/* Is it a read of a shared variable that one thread wrote before others read it, and nobody since?
 */
bool ser_function_survey_reads_constant(const ser_function_survey *survey, const ser_event *access);
/* And was it written before the threads began that read it? */
bool ser_function_survey_reads_initialised(const ser_function_survey *survey,
                                           const ser_event *access);
/* Does it take or post a semaphore that is used as a lock (lock_like.h)? */
bool ser_function_survey_is_lock(const ser_function_survey *survey, const ser_event *event);

#endif
