/* SPDX-License-Identifier: MIT */
#include "report/text/wrapped.h"

#include <string.h>

#include "base/output/print.h"

enum { INDENT = 3 };

void ser_print_wrapped(FILE *file, const char *text, unsigned width)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column && column + 1 + length > width) {
            fputc('\n', file);
            column = 0;
        }
        ser_print(file, "%*s%.*s", column ? 1 : INDENT, "", (int)length, text);
        column += length + (column ? 1 : INDENT);
        text += length;
        text += strspn(text, " \n");
    }
    fputc('\n', file);
}
