/* SPDX-License-Identifier: MIT */
/*
 * capture.h - the door of src/record/capture: from a running program to records in a file.
 *
 *     settings.h, limit.h   what is asked for
 *     program.h             starts the program with its channel, and ends it, with the help of
 *                           program/ (signals, what the program leaves behind, Java)
 *     drain.h               takes its records out of the channel, in the order of the run
 *     spool.h               keeps them in a file until the trace is made (pack.h: as few bytes;
 *                           scratch.h: if the disk is full)
 *     definitions.h         texts, sites and modules, which records refer to by number
 *
 * Nothing here asks what records are about: any kind of recorded program can use it.
 */
#ifndef SER_RECORD_CAPTURE_CAPTURE_H
#define SER_RECORD_CAPTURE_CAPTURE_H

#include "record/capture/definitions.h"
#include "record/capture/drain.h"
#include "record/capture/limit.h"
#include "record/capture/program.h"
#include "record/capture/scratch.h"
#include "record/capture/settings.h"
#include "record/capture/spool.h"

#endif
