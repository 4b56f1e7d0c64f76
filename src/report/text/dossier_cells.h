/* SPDX-License-Identifier: MIT */
/*
 * dossier_cells.h - a step of a picture in words.
 */
#ifndef SER_REPORT_TEXT_DOSSIER_CELLS_H
#define SER_REPORT_TEXT_DOSSIER_CELLS_H

#include "report/dossier/dossier.h"

enum { SER_CELL_SIZE = 512 };

/* "reads alice.balance = 100 (T2's)", as it may be shown. */
void ser_picture_cell(const ser_picture *picture, const ser_picture_step *step,
                      char cell[SER_CELL_SIZE]);

/* To that width: the end of a name says more than its middle. */
void ser_cell_shorten(char *text, size_t width);

/* Where the step is, with the column of what it uses if that is known; escaped. To be freed. */
char *ser_picture_location(const ser_picture *picture, const ser_picture_step *step);

/* The line of source there; NULL or empty: it is not known. To be freed. */
char *ser_picture_source(const ser_picture *picture, const ser_picture_step *step);

#endif
