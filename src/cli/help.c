/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <string.h>

#include "cli/wrap.h"

enum { HELP_COLUMN = 27, INDENT = 2 };

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        size_t length = ser_paragraph_length(text);
        if (*text == ' ')
            fprintf(file, "%.*s\n", (int)length, text);
        else
            ser_wrap(file, text, length, 0, 0);
        fputc('\n', file);
        text = ser_next_paragraph(text, length);
    }
}

/* Help and, in brackets, what the value may be and is by default. */
static void describe_option(const ser_option *option, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", option->help);
    if (option->choices && used < size)
        used += (size_t)snprintf(text + used, size - used, "; one of %s", option->choices);
    if (option->standard && used < size)
        snprintf(text + used, size - used, " [%s]", option->standard);
}

static void print_option(FILE *file, const ser_option *option)
{
    int column = option->letter ? fprintf(file, "  -%c, --%s", option->letter, option->name)
                                : fprintf(file, "      --%s", option->name);
    if (option->argument)
        column += fprintf(file, " %s", option->argument);
    if (column + INDENT > HELP_COLUMN) { /* no room: the text starts on its own line */
        fputc('\n', file);
        column = 0;
    }
    char text[1024];
    describe_option(option, text, sizeof text);
    ser_wrap(file, text, strlen(text), (size_t)column, HELP_COLUMN);
}

static void print_examples(FILE *file, const ser_example *examples)
{
    fprintf(file, "\nExamples:\n");
    for (; examples->command; examples++) {
        int column = fprintf(file, "  %s", examples->command);
        enum { MEANING_COLUMN = 44 };
        if (column + INDENT > MEANING_COLUMN) {
            fputc('\n', file);
            column = 0;
        }
        ser_wrap(file, examples->meaning, strlen(examples->meaning), (size_t)column,
                 MEANING_COLUMN);
    }
}

static void print_exit_codes(FILE *file, const ser_exit_code *codes)
{
    fprintf(file, "\nExit status:\n");
    for (; codes->meaning; codes++) {
        int column = fprintf(file, "  %d  ", codes->status);
        ser_wrap(file, codes->meaning, strlen(codes->meaning), (size_t)column, (size_t)column);
    }
}

void ser_help_command(FILE *file, const ser_command *command)
{
    fprintf(file, "Usage: seriatim %s %s\n\n", command->name, command->usage);
    print_paragraphs(file, command->description);
    fprintf(file, "Options:\n");
    for (const ser_option *option = command->options; option->name; option++)
        print_option(file, option);
    if (command->examples)
        print_examples(file, command->examples);
    print_exit_codes(file, command->exit_codes);
}

void ser_help_overview(FILE *file)
{
    fprintf(file, "Usage: seriatim COMMAND [options] ...\n"
                  "\n"
                  "Finds atomicity violations in multithreaded programs.\n"
                  "\n"
                  "Commands:\n");
    for (size_t i = 0; ser_commands[i]; i++)
        fprintf(file, "  %-10s %s\n", ser_commands[i]->name, ser_commands[i]->summary);
    fprintf(file, "\n"
                  "seriatim COMMAND --help   how to use a command (also: seriatim help COMMAND)\n"
                  "seriatim --version        the version\n"
                  "\n"
                  "Exit status: 0 no violation, 1 violation, 2 wrong usage, 3 bad input,\n"
                  "4 undecided, 5 a bug in seriatim.\n");
}
