/* SPDX-License-Identifier: MIT */
/*
 * dossier_rows.h - the columns of a picture: one a thread, one row a step.
 */
#ifndef SER_REPORT_TEXT_DOSSIER_ROWS_H
#define SER_REPORT_TEXT_DOSSIER_ROWS_H

#include "report/dossier_formats.h"

enum { SER_TEXT_WIDTH = 120 }; /* of a file */

void ser_picture_print(const ser_picture *picture, const ser_dossier_style *style, FILE *file);

#endif
