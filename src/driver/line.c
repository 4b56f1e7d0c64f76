/* SPDX-License-Identifier: MIT */
/*
 * Scans a command line of clang, just enough to find out whether it links.
 */
#include <string.h>

#include "driver/driver.h"
#include "driver/response.h"

/* Options whose value is the next word. */
static const char *const with_value[] = {
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-F",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-B",
    "-G",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-iwithprefix",
    "-iframework",
    "-ivfsoverlay",
    "-iwithprefixbefore",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xanalyzer",
    "-mllvm",
    "-target",
    "-arch",
    "-framework",
    "-include-pch",
    "--param",
    "-dumpbase",
    "-dumpdir",
    "-rpath",
    "-working-directory",
    "--sysroot",
    "--output",
    "--language",
    "--include",
    "--config",
    "-cxx-isystem",
    "-isystem-after",
    "-resource-dir",
    "-gcc-install-dir",
};

/* Options that end before the linker. */
static const char *const early[] = {
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--analyze",
    "-emit-ast",
    "--precompile",
    "--compile",
    "--assemble",
    "--preprocess",
    "-module-file-info",
    "-rewrite-objc",
    "-extract-api",
    "-verify-pch",
    "--dependencies",
    "--user-dependencies",
    "--emit-static-lib",
    "-emit-interface-stubs",
};

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof *(list))

static bool ends_with(const char *word, const char *end)
{
    size_t length = strlen(word), ending = strlen(end);
    return length > ending && strcmp(word + length - ending, end) == 0;
}

/* A header on its own is compiled for later use, and nothing is linked. */
static bool is_header(const char *file)
{
    static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".H"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(file, endings[i]))
            return true;
    return false;
}

/* -fsanitize=A,B turns thread on or -fno-sanitize=A,B off; the last one counts. */
static void read_sanitizers(ser_command_line *line, const char *word)
{
    bool on = strncmp(word, "-fsanitize=", 11) == 0;
    const char *list = strchr(word, '=');
    for (const char *name = list ? list + 1 : ""; *name;
         name += strcspn(name, ","), name += !!*name)
        if (strcspn(name, ",") == 6 && strncmp(name, "thread", 6) == 0)
            line->checks_threads = on;
}

static void read_option(ser_command_line *line, const char *word, const char *value)
{
    if (IS_ONE_OF(word, early))
        line->stops_early = true;
    else if (strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0)
        line->is_static = true;
    else if (strcmp(word, "-r") == 0)
        line->is_relocatable = true;
    else if (strncmp(word, "-l", 2) == 0)
        line->has_input = true;
    else if (strncmp(word, "-fsanitize=", 11) == 0 || strncmp(word, "-fno-sanitize=", 14) == 0)
        read_sanitizers(line, word);
    const char *language = strncmp(word, "-x", 2) == 0 && word[2] ? word + 2 : value;
    if (strncmp(word, "-x", 2) == 0 && language && ends_with(language, "-header"))
        line->stops_early = true;
}

static void read_words(ser_command_line *line, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = words[i];
        if (word[0] != '-' || word[1] == '\0') {
            line->has_input = true;
            line->stops_early = line->stops_early || is_header(word);
            continue;
        }
        bool takes_next = IS_ONE_OF(word, with_value);
        read_option(line, word, takes_next && i + 1 < count ? words[i + 1] : NULL);
        i += takes_next;
    }
}

ser_command_line ser_line_read(char *const *arguments, size_t count)
{
    ser_command_line line = {0};
    ser_response words = {0};
    ser_response_expand(&words, arguments, count);
    read_words(&line, words.items, words.count);
    ser_response_fini(&words);
    return line;
}

bool ser_line_links(const ser_command_line *line)
{
    return line->has_input && !line->stops_early && !line->is_relocatable;
}
