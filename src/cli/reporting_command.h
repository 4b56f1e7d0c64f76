/* SPDX-License-Identifier: MIT */
/*
 * reporting_command.h - what report and merge do once everything is gathered.
 */
#ifndef SER_CLI_REPORTING_COMMAND_H
#define SER_CLI_REPORTING_COMMAND_H

#include "base/options/options.h"
#include "session/reporting/reporting.h"

/* Leaves out what is suppressed, delivers the rest (dossier_files.h) and returns the verdict. */
ser_status ser_report_gathered(ser_reporting *work, const ser_arguments *arguments,
                               const char *path, const char *format, ser_error *error);

#endif
