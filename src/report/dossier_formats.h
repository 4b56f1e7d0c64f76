/* SPDX-License-Identifier: MIT */
/*
 * dossier_formats.h - the files that a dossier (dossier/dossier.h) is written as.
 *
 * A format is a writer in a file of its own and a line in the table below: that gives it to
 * `seriatim report --format` and to `report -o FOLDER`, which writes one file of each.
 */
#ifndef SER_REPORT_DOSSIER_FORMATS_H
#define SER_REPORT_DOSSIER_FORMATS_H

#include <stdio.h>

#include "report/dossier/dossier.h"

/* Name, name of the file in a folder, what names of such files end in, help. */
#define SER_DOSSIER_FORMATS(X)                                                                     \
    X(text, "report.txt", ".txt", "for a terminal")                                                \
    X(html, "index.html", ".html", "one page that needs no network")                               \
    X(sarif, "report.sarif", ".sarif", "SARIF 2.1.0, for GitHub and editors")                      \
    X(junit, "junit.xml", ".xml", "JUnit XML, for CI servers")                                     \
    X(chrome, "trace.json", "trace.json", "Chrome's trace format, for Perfetto")                   \
    X(dot, "graph.dot", ".dot", "the graph of each violation, for Graphviz")

/* Where it goes. All zero: a file. */
typedef struct ser_dossier_style {
    unsigned width; /* columns of the terminal; 0: as is good for a file */
    bool colour;
    bool unicode; /* lines are drawn with characters beyond ASCII */
} ser_dossier_style;

typedef struct ser_dossier_format {
    const char *name, *file, *suffix;
    void (*write)(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file);
} ser_dossier_format;

/* All, in the order of the table; NULL-terminated. */
extern const ser_dossier_format *const ser_dossier_formats[];

#define SER_X(name, file, suffix, help)                                                            \
    void ser_dossier_write_##name(const ser_dossier *dossier, const ser_dossier_style *style,      \
                                  FILE *file_);
SER_DOSSIER_FORMATS(SER_X)
#undef SER_X

/* By its name; NULL: there is none. */
const ser_dossier_format *ser_dossier_format_by_name(const char *name);

/* By the end of a file's name; NULL: it says nothing. */
const ser_dossier_format *ser_dossier_format_of_file(const char *path);

/* A file of it, which stands under its name only once it is complete; "-" is standard output. */
ser_status ser_dossier_save(const ser_dossier *dossier, const ser_dossier_format *format,
                            const char *path, ser_error *error);

/* One file of each format into a folder, which is made if it is not there. */
ser_status ser_dossier_save_all(const ser_dossier *dossier, const char *folder, ser_error *error);

#endif
