/* SPDX-License-Identifier: MIT */
/*
 * html.h - parts of the page: the data that its script draws.
 *
 * The page is one file that loads nothing. What people read without a script, or on paper, is
 * HTML; the rest is JSON, which the script (model.js, panel.js, finding.js, page.js) puts into the
 * page as text only.
 */
#ifndef SER_REPORT_HTML_HTML_H
#define SER_REPORT_HTML_HTML_H

#include "base/output/json.h"
#include "order/order.h"
#include "report/dossier_formats.h"

enum { SER_PAGE_MOST_EVENTS = 200000 }; /* of a trace; of a longer one a part is drawn */

/* The dossier as one JSON object. */
void ser_page_write_data(const ser_dossier *dossier, ser_json *json);

/* The traces in which entries have pictures; an entry's is named by its index. */
void ser_page_write_traces(const ser_dossier *dossier, ser_json *json);
size_t ser_page_trace_of(const ser_dossier *dossier, const ser_run *run);

/* The lines of source around all places that the traces name, with their key. */
void ser_page_write_sources(const ser_dossier *dossier, ser_json *json);

/* The partial order of the run that was drawn last: entries of one run follow one another. */
typedef struct ser_page_order {
    const ser_run *run;
    ser_order *order;
} ser_page_order;

/* Of each thread, in the order of threads: its first event that is not before the block, and its
 * first that is after it; 0: none. Nothing where there is no block, or too much of a run. */
void ser_page_write_frontiers(const ser_picture *picture, ser_page_order *cache, ser_json *json);

/* The first and last event of the part of the run that is drawn. */
void ser_page_window(const ser_dossier *dossier, const ser_run *run, uint32_t *first,
                     uint32_t *last);

#endif
