/* SPDX-License-Identifier: MIT */
#include "base/output/quote.h"

#include <string.h>

#include "base/output/show.h"

static void put(FILE *file, const char *text)
{
    fwrite(text, 1, strlen(text), file);
}

void ser_quote_xml(FILE *file, const char *text)
{
    ser_shown shown = {0};
    ser_show(&shown, text, strlen(text));
    for (size_t i = 0; i < shown.count; i++) {
        char byte = shown.items[i];
        if (byte == '&')
            put(file, "&amp;");
        else if (byte == '<')
            put(file, "&lt;");
        else if (byte == '>')
            put(file, "&gt;");
        else if (byte == '"')
            put(file, "&quot;");
        else if (byte == '\'')
            put(file, "&#39;");
        else
            fputc(byte, file);
    }
    ser_vector_free(&shown);
}

void ser_quote_dot(FILE *file, const char *text)
{
    ser_shown shown = {0};
    ser_show(&shown, text, strlen(text));
    fputc('"', file);
    for (size_t i = 0; i < shown.count; i++) {
        if (shown.items[i] == '"' || shown.items[i] == '\\')
            fputc('\\', file);
        fputc(shown.items[i], file);
    }
    fputc('"', file);
    ser_vector_free(&shown);
}
