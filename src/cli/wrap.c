/* SPDX-License-Identifier: MIT */
#include "cli/wrap.h"

#include <string.h>

enum { COLUMNS = 79 };

static size_t start_line(FILE *file, size_t indent)
{
    fprintf(file, "%*s", (int)indent, "");
    return indent;
}

void ser_wrap(FILE *file, const char *text, size_t length, size_t at, size_t indent)
{
    const char *end = text + length;
    size_t column = at > indent ? start_line(file, 0) + at : at + start_line(file, indent - at);
    size_t line_start = column;
    while (text < end) {
        size_t word = strcspn(text, " \n");
        if (word > (size_t)(end - text))
            word = (size_t)(end - text);
        if (word && column > line_start && column + 1 + word > COLUMNS) {
            fputc('\n', file);
            column = line_start = start_line(file, indent);
        }
        if (word && column > line_start) {
            fputc(' ', file);
            column++;
        }
        fwrite(text, 1, word, file);
        column += word;
        text += word + (text + word < end);
    }
    fputc('\n', file);
}

size_t ser_paragraph_length(const char *text)
{
    const char *blank = strstr(text, "\n\n");
    return blank ? (size_t)(blank - text) : strlen(text);
}

const char *ser_next_paragraph(const char *text, size_t length)
{
    text += length;
    return text + strspn(text, "\n");
}
