/* SPDX-License-Identifier: MIT */
/*
 * translate.h - the command line's options as the options of src/session, each in one place.
 * Texts are those of the arguments, which must outlive what is made of them.
 */
#ifndef SER_CLI_TRANSLATE_H
#define SER_CLI_TRANSLATE_H

#include "base/options/options.h"
#include "session/predict_choice.h"
#include "session/recording.h"
#include "session/run/options.h"

/* --atomic and --lenient. */
ser_reading ser_reading_of(const ser_arguments *arguments);

/* The trace that operand 0 names. */
ser_source_settings ser_source_of(const ser_arguments *arguments, const char *verb);

/* SER_USAGE if the trace is also what the command will write: `output` (NULL: nothing), or one of
 * the files that options of reports name, if the command has these. */
ser_status ser_refuse_outputs(const ser_arguments *arguments, const char *output, bool reports,
                              ser_error *error);

/* --timeout, --memory, --jobs. */
ser_effort ser_effort_of(const ser_arguments *arguments);

/* All options of `predict` that say how blocks are decided. */
ser_predict_options ser_predict_options_of(const ser_arguments *arguments);

/* Their `near`, where witnesses need not begin with the first event. */
uint32_t ser_predict_near_of(const ser_arguments *arguments);

/* --block, --thread, --function. */
ser_predict_choice ser_predict_choice_of(const ser_arguments *arguments);

/* The program that the operands from `first` on name, or, where there are none, `otherwise` (NULL:
 * nothing), recorded as the options say. With *help
 * set, only help on the settings of the runtime was asked for, and was printed. To be finished in
 * any case. */
ser_status ser_recording_of(ser_recording *recording, const ser_arguments *arguments, size_t first,
                            char *const *otherwise, bool *help, ser_error *error);

/* Options of `run` and `explore`; the name is that of the command. */
ser_run_options ser_run_options_of(const char *name, const ser_arguments *arguments);

/* --scratch and --reset of commands that have them. */
void ser_surroundings_of(ser_recording *recording, const ser_arguments *arguments);

#endif
