/* SPDX-License-Identifier: MIT */
/*
 * program.h - the program that is recorded: its channel, its start, its end.
 *
 * It runs with our standard streams, in our process group, and without
 * randomised addresses. Signals that are sent to the recorder go on to the
 * program; those of the terminal reach it anyway. One program at a time, since
 * signal handlers need to know it.
 *
 * A program that is owned is one that the user did not start: it and all processes that it has
 * started are ended with the run, and with us. Otherwise processes that it leaves behind go on.
 */
#ifndef SER_RECORD_CAPTURE_PROGRAM_H
#define SER_RECORD_CAPTURE_PROGRAM_H

#include <sys/types.h>

#include "base/status.h"
#include "contract/channel.h"
#include "record/capture/program/offspring.h"

typedef struct ser_program {
    ser_channel *channel;
    size_t channel_size;
    int channel_fd;
    pid_t process;
    bool is_java; /* it is a Java virtual machine */
    bool ended;
    int wait_status; /* as waitpid gives it; once it has ended */
    ser_offspring offspring;
    uint64_t log_next; /* of the lines that its runtime logs */
} ser_program;

/* Exit codes for a program that could not be started, as env and nohup have them. */
enum { SER_PROGRAM_NOT_FOUND = 127, SER_PROGRAM_NOT_RUN = 126 };

typedef struct ser_program_start_options {
    char *const *command;
    bool parallel;
    const char *settings;  /* as SERIATIM_OPTIONS has them */
    const ser_turn *turns; /* the schedule to follow; */
    size_t turn_count;     /* 0: none */
    bool elides;           /* also while the schedule is followed; false: only in gaps */
    const ser_gap *gaps;
    size_t gap_count;
    const ser_record
        *inputs; /* nondeterministic inputs to give back (contract/inputs.h), ordered by thread; */
    size_t input_count;  /* 0: none */
    const char *output;  /* file for its standard output and error; NULL: ours */
    const char *folder;  /* its working folder; NULL: ours. A relative `output`, and a relative path
                            of  the program itself, are still of ours */
    int input;           /* descriptor that is its standard input; 0: ours */
    uint64_t step_limit; /* as ser_program_allow; 0: any number */
    bool owned;
    bool interruptible; /* SIGINT and the like also stop seriatim (interrupt.h) */
} ser_program_start_options;

/* On failure error says why, and its
 * status is one of the codes above or SER_INPUT. */
ser_status ser_program_start(ser_program *program, const ser_program_start_options *options,
                             ser_error *error);

/* Waits until the program has published records, has ended, or some time has passed. */
void ser_program_wait(ser_program *program, uint32_t seen);

/* What to hand to ser_program_wait: the state before the channel was looked at. */
uint32_t ser_program_look(const ser_program *program);

/* Sets `ended` if it has. */
void ser_program_check(ser_program *program);

/* The program may make that many steps of its schedule in all; 0: any number. */
void ser_program_allow(ser_program *program, uint64_t steps);

/* Sends a signal to the process that records, or to the one we started. */
void ser_program_signal(const ser_program *program, int number);

/* Before it is ended: the processes that it has started will be, too. */
void ser_program_adopt_offspring(ser_program *program);

/* Plain accesses need not be recorded for a while, or must be again (channel.h). */
void ser_program_pause(ser_program *program, bool paused);

/* Is everything recorded? Not at once after the end of a pause. */
bool ser_program_records_all(const ser_program *program);

/* It is not ours any more: signals for us do not reach it, and its end is not awaited. */
void ser_program_leave(ser_program *program);

/* Its runtime stops recording, if part of the program is still running. */
void ser_program_let_go(ser_program *program);

/* What its runtime has logged for developers since the last time. */
void ser_program_print_log(ser_program *program);

/* The exit status to pass on: the program's own, or 128 plus the signal. */
int ser_program_status(const ser_program *program);

/* Frees the channel. */
void ser_program_fini(ser_program *program);

#endif
