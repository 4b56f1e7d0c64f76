/* SPDX-License-Identifier: MIT */
/*
 * The program: finds the command, parses its options by its table, acts on the
 * options every command has, and turns the result into an exit code.
 *
 * Two hidden options serve the build: `--man [COMMAND]` prints a manual page and
 * `--commands` lists what there are pages for.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/options/suggest.h"
#include "base/output/log.h"
#include "base/output/print.h"
#include "base/output/topics.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/streams.h"

static ser_status complain_of_usage(const ser_command *command, const char *message)
{
    ser_complain("%s: %s", command->name, message);
    ser_print(stderr, "Usage: seriatim %s %s\nSee seriatim %s --help.\n", command->name,
              command->usage, command->name);
    return SER_USAGE;
}

static ser_status check_operands(const ser_command *command, const ser_arguments *arguments)
{
    size_t count = ser_arguments_operand_count(arguments);
    if (count < command->least_operands)
        return complain_of_usage(command, "an argument is missing");
    if (count <= command->most_operands)
        return SER_OK;
    char message[256];
    snprintf(message, sizeof message, "one argument too many: \"%.200s\"",
             ser_arguments_operand(arguments, command->most_operands));
    return complain_of_usage(command, message);
}

static ser_status run_command(const ser_command *command, const ser_arguments *arguments)
{
    ser_status status = check_operands(command, arguments);
    if (status != SER_OK)
        return status;
    ser_error error = {.status = SER_OK};
    ser_log_set_quiet(ser_arguments_given(arguments, "quiet"));
    status = ser_log_start(&error);
    if (status != SER_OK) {
        ser_complain("%s", error.text);
        return status;
    }
    ser_interrupt_catch();
    if (ser_arguments_given(arguments, "budget"))
        ser_budget_start(ser_arguments_seconds(arguments, "budget"));

    status = command->run(arguments, &error);
    if (error.text[0])
        ser_complain("%s", error.text);
    return status;
}

static ser_status print_version(void)
{
    ser_print(stdout, "seriatim %s\n", SER_VERSION);
    return SER_OK;
}

static ser_status parse_and_run(const ser_command *command, int argc, char **argv)
{
    ser_arguments *arguments;
    ser_error error;
    ser_status status = ser_arguments_parse(&arguments, command->options, argc, argv, &error);
    if (status != SER_OK)
        return complain_of_usage(command, error.text);

    if (ser_arguments_given(arguments, "help"))
        ser_help_command(stdout, command);
    else if (ser_arguments_given(arguments, "version"))
        print_version();
    else
        status = run_command(command, arguments);
    ser_arguments_destroy(arguments);
    return status;
}

static ser_status hand_over(const ser_command *command, int argc, char **argv)
{
    if (argc == 1 && strcmp(argv[0], "--help") == 0) {
        ser_help_command(stdout, command);
        return SER_OK;
    }
    ser_error error = {.status = SER_OK};
    ser_status status = command->run_as_is(argc, argv, &error);
    ser_complain("%s: %s", command->name, error.text);
    return status;
}

/* seriatim-cc is seriatim cc, under one name. */
static const ser_command *command_of_name(const char *path)
{
    static const char prefix[] = "seriatim-";
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const ser_command *command = NULL;
    if (strncmp(base, prefix, strlen(prefix)) == 0)
        command = ser_command_by_name(base + strlen(prefix));
    return command && command->run_as_is ? command : NULL;
}

static ser_status refuse_command(const char *name)
{
    ser_suggestion best = {0};
    for (size_t i = 0; ser_commands[i]; i++)
        ser_suggest(&best, name, ser_commands[i]->name);
    const char *kind = *name == '-' ? "option" : "command";
    if (best.word)
        ser_complain("unknown %s \"%s\"; did you mean %s?", kind, name, best.word);
    else
        ser_complain("unknown %s \"%s\"", kind, name);
    ser_print(stderr, "See seriatim --help.\n");
    return SER_USAGE;
}

/* `help COMMAND` and `--man COMMAND`, both also without a command. */
static ser_status print_page(const char *name, void (*overview)(FILE *),
                             void (*page)(FILE *, const ser_command *))
{
    const ser_command *command = name ? ser_command_by_name(name) : NULL;
    if (name && !command)
        return refuse_command(name);
    if (command)
        page(stdout, command);
    else
        overview(stdout);
    return SER_OK;
}

static ser_status list_commands(void)
{
    for (size_t i = 0; ser_commands[i]; i++)
        ser_print(stdout, "%s\n", ser_commands[i]->name);
    return SER_OK;
}

static bool is_any_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static ser_status dispatch(int argc, char **argv)
{
    if (argc < 2) {
        ser_help_overview(stderr);
        return SER_USAGE;
    }
    const char *word = argv[1], *next = argc > 2 ? argv[2] : NULL;
    const ser_command *command = ser_command_by_name(word);
    if (command)
        return parse_and_run(command, argc - 2, argv + 2);
    if (is_any_of(word, "help", "--help", "-h"))
        return print_page(next, ser_help_overview, ser_help_command);
    if (is_any_of(word, "version", "--version", "-V"))
        return print_version();
    if (strcmp(word, "--man") == 0)
        return print_page(next, ser_man_overview, ser_man_command);
    if (strcmp(word, "--commands") == 0)
        return list_commands();
    return refuse_command(word);
}

/* The command whose arguments are another program's, if it is one; then argc and
 * argv are what remains of the line. */
static const ser_command *find_hand_over(int *argc, char ***argv)
{
    const ser_command *command = *argc > 0 ? command_of_name((*argv)[0]) : NULL;
    int used = 1;
    if (!command && *argc > 1) {
        command = ser_command_by_name((*argv)[1]);
        used = 2;
    }
    if (!command || !command->run_as_is)
        return NULL;
    *argc -= used;
    *argv += used;
    return command;
}

int main(int argc, char **argv)
{
    /* Before anything is changed that the other program would inherit. */
    const ser_command *other = find_hand_over(&argc, &argv);
    if (other)
        return (int)hand_over(other, argc, argv);
    ser_streams_prepare();
    int status = (int)ser_streams_finish(dispatch(argc, argv));
    if (ser_has_abandoned_threads())
        _exit(status);
    return status;
}
