/* SPDX-License-Identifier: MIT */
/*
 * Manual pages in roff with the man macros. Every text goes through print_text, which escapes what
 * roff would take for a request or an escape.
 */
#include <string.h>

#include "cli/help.h"
#include "cli/wrap.h"
#include "trace/event.h"

/* One line of text. A dot or quote at its start would be a request; a backslash
 * starts an escape; a plain - may be set as a hyphen and could not be copied. */
static void print_text(FILE *file, const char *text, size_t length)
{
    if (length && (*text == '.' || *text == '\''))
        fputs("\\&", file);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", file);
        else if (text[i] == '-')
            fputs("\\-", file);
        else
            fputc(text[i], file);
    }
}

static void print_line(FILE *file, const char *text)
{
    print_text(file, text, strlen(text));
    fputc('\n', file);
}

static void print_title(FILE *file, const char *command)
{
    fprintf(file, ".TH \"SERIATIM%s", *command ? "\\-" : "");
    for (; *command; command++)
        fputc(*command >= 'a' && *command <= 'z' ? *command - 'a' + 'A' : *command, file);
    fprintf(file, "\" 1 \"\" \"seriatim %s\" \"User Commands\"\n", SER_VERSION);
}

static void print_verbatim(FILE *file, const char *text, size_t length)
{
    fputs(".PP\n.nf\n", file);
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t line = newline ? (size_t)(newline - text) : length;
        print_text(file, text, line);
        fputc('\n', file);
        line += newline != NULL;
        text += line;
        length -= line;
    }
    fputs(".fi\n", file);
}

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        size_t length = ser_paragraph_length(text);
        if (*text == ' ') {
            print_verbatim(file, text, length);
        } else {
            fputs(".PP\n", file);
            print_text(file, text, length);
            fputc('\n', file);
        }
        text = ser_next_paragraph(text, length);
    }
}

static void print_option(FILE *file, const ser_option *option)
{
    fputs(".TP\n", file);
    if (option->letter)
        fprintf(file, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", file);
    print_text(file, option->name, strlen(option->name));
    fputs("\\fR", file);
    if (option->argument)
        fprintf(file, " \\fI%s\\fR", option->argument);
    fputc('\n', file);
    print_text(file, option->help, strlen(option->help));
    if (option->choices)
        fprintf(file, "; one of %s", option->choices);
    fputs(".\n", file);
    if (option->standard)
        fprintf(file, "The default is %s.\n", option->standard);
}

static void print_exit_codes(FILE *file, const ser_exit_code *codes)
{
    fputs(".SH EXIT STATUS\n", file);
    for (; codes->meaning; codes++) {
        fprintf(file, ".TP\n%d\n", codes->status);
        print_line(file, codes->meaning);
    }
}

static void print_list(FILE *file, const ser_example *examples)
{
    for (; examples->command; examples++) {
        fputs(".TP\n.B ", file);
        print_line(file, examples->command);
        print_line(file, examples->meaning);
    }
}

static void print_see_also(FILE *file, const ser_command *but)
{
    fputs(".SH SEE ALSO\n", file);
    if (but)
        fprintf(file, ".BR seriatim (1)%s\n", ser_commands[1] ? "," : "");
    for (size_t i = 0; ser_commands[i]; i++) {
        if (ser_commands[i] == but)
            continue;
        bool last = !ser_commands[i + 1] || (ser_commands[i + 1] == but && !ser_commands[i + 2]);
        fprintf(file, ".BR seriatim\\-%s (1)%s\n", ser_commands[i]->name, last ? "" : ",");
    }
}

void ser_man_command(FILE *file, const ser_command *command)
{
    print_title(file, command->name);
    fprintf(file, ".SH NAME\nseriatim\\-%s \\- ", command->name);
    print_line(file, command->summary);
    fprintf(file, ".SH SYNOPSIS\n.B seriatim %s\n", command->name);
    print_line(file, command->usage);
    fputs(".SH DESCRIPTION\n", file);
    print_paragraphs(file, command->description);
    fputs(".SH OPTIONS\n", file);
    for (const ser_option *option = command->options; option->name; option++)
        print_option(file, option);
    if (command->examples) {
        fputs(".SH EXAMPLES\n", file);
        print_list(file, command->examples);
    }
    print_exit_codes(file, command->exit_codes);
    print_see_also(file, command);
}

static const char overview[] =
    "seriatim finds out from traces of a multithreaded program whether the blocks of code that are "
    "meant to be atomic can be violated.\n"
    "\n"
    "- stands for standard input or output. Results go to standard output, messages to standard "
    "error, and a progress line only to a terminal.";

static const char about_traces[] =
    "A trace is text, seriatim's native format, or a RoadRunner log, plain or compressed with gzip "
    "or zstd; the format is recognised by content.\n"
    "\n"
    "In text an event is a line:\n"
    "\n"
    "    THREAD|op(operand)|location\n"
    "    THREAD|op(operand)|location|key=value\n"
    "\n"
    "The location may be any text, also none. begin and end may stand without operand. A line that "
    "starts with # is a comment; a blank line is an error. Events are numbered from 1. A mutex "
    "held "
    "around a wait is logged as what happens: rel(m), wait(c), and after the wake-up acq(m).\n"
    "\n"
    "The operations are:";

static const char about_atomic[] =
    "--atomic says what is atomic, in the same way for every command. Of nested blocks only the "
    "outermost counts. Blocks other than by markers end at a wait within them, and another one "
    "begins "
    "after it.";

static const ser_example atomic_modes[] = {
    {"markers", "what lies between a begin and an end event of a thread"},
    {"locks", "every span in which a thread holds at least one lock"},
    {"functions", "every call of a function that touches shared data at least twice, is no thread "
                  "root and does not start or join threads; needs call and ret events"},
    {"rounds", "threads' first functions without a loop, and single rounds of their loops"},
    {"updates", "the read and the write of one assignment such as n++"},
    {"auto", "markers where there are any, else all of the above"},
    {"FILE",
     "calls of the functions that the file names: one per line, globs, - in front to exclude; "
     "C++ names qualified and demangled"},
    {NULL, NULL},
};

static const ser_exit_code overview_exit_codes[] = {
    {SER_OK, "no violation"},
    {SER_VIOLATION, "violation"},
    {SER_USAGE, "wrong usage"},
    {SER_INPUT, "bad input, or a file that cannot be read or written"},
    {SER_UNDECIDED, "undecided: stopped early by Ctrl-C, --budget or lack of memory"},
    {SER_INTERNAL, "a bug in seriatim"},
    {0, NULL},
};

static void print_operations(FILE *file)
{
    fputs(".PP\n", file);
    for (int op = SER_OP_SKIP + 1; op < SER_OP_COUNT; op++)
        fprintf(file, "%s(%s)%s\n", ser_op_name((ser_op)op),
                ser_space_noun(ser_op_space((ser_op)op)), op + 1 < SER_OP_COUNT ? "," : ".");
}

void ser_man_overview(FILE *file)
{
    print_title(file, "");
    fputs(".SH NAME\nseriatim \\- find atomicity violations in traces of multithreaded programs\n"
          ".SH SYNOPSIS\n.B seriatim\n.I command\n[options]\n"
          ".I trace\n.SH DESCRIPTION\n",
          file);
    print_paragraphs(file, overview);
    fputs(".SH COMMANDS\n", file);
    for (size_t i = 0; ser_commands[i]; i++) {
        fprintf(file, ".TP\n.BR seriatim\\-%s (1)\n", ser_commands[i]->name);
        print_line(file, ser_commands[i]->summary);
    }
    fputs(".SH TRACES\n", file);
    print_paragraphs(file, about_traces);
    print_operations(file);
    fputs(".SH ATOMIC BLOCKS\n", file);
    print_paragraphs(file, about_atomic);
    print_list(file, atomic_modes);
    print_exit_codes(file, overview_exit_codes);
    print_see_also(file, NULL);
}
