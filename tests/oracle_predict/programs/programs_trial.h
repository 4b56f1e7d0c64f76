/* SPDX-License-Identifier: MIT */
/*
 * programs_trial.h - traces of scripts (script.h), and how many of their blocks are violated by
 * which model.
 */
#ifndef SER_ORACLE_PROGRAMS_TRIAL_H
#define SER_ORACLE_PROGRAMS_TRIAL_H

#include "sample.h"
#include "script.h"

/* For samples whose trace is that of the script of their seed. */
extern const trial trial_programs, trial_followed, trial_certain;

/* What the trial has seen, if it has seen any. */
void print_program_counts(void);
void print_followed_counts(void);
void print_certain_counts(void);

#endif
