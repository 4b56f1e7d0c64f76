/* SPDX-License-Identifier: MIT */
#include "driver/driver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void add(ser_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(ser_words *words, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *word = ser_alloc((size_t)length + 1, 1);
    vsnprintf(word, (size_t)length + 1, format, again);
    va_end(again);
    ser_vector_push(words, word);
}

/* Instead of our plugin the thread sanitizer's calls are inserted, and instead of
 * its library ours is linked. */
static void add_tsan(ser_words *words)
{
    add(words, "-fsanitize=thread");
    add(words, "-fno-sanitize-link-runtime");
    add(words, "-mllvm");
    add(words, "-tsan-instrument-read-before-write=1");
}

/* Linked first, so that its functions come before those of the C library, and even if nothing calls
 * it, as in a program of several objects. */
static void add_runtime(ser_words *words, const char *runtime)
{
    const char *slash = strrchr(runtime, '/');
    add(words, "-Wl,--push-state,--no-as-needed");
    add(words, "%s", runtime);
    add(words, "-Wl,--pop-state");
    if (slash)
        add(words, "-Wl,-rpath,%.*s", (int)(slash - runtime), runtime);
}

static ser_status check_parts(const ser_parts *parts, bool tsan_abi, bool links, ser_error *error)
{
    if (!parts->clang)
        return ser_fail(error, SER_INPUT,
                        "this seriatim was built without LLVM and cannot compile; install clang-14 "
                        "and llvm-14-dev and build it again");
    if (!parts->plugin && !tsan_abi)
        return ser_fail(error, SER_INPUT,
                        "seriatim-instrument.so is missing: neither beside the program nor in %s",
                        SER_TO_LIBDIR "/seriatim");
    if (!parts->runtime && links)
        return ser_fail(error, SER_INPUT,
                        "libseriatim-rt.so is missing: neither beside the program nor in %s; "
                        "SERIATIM_RUNTIME can name it",
                        SER_TO_LIBDIR);
    return SER_OK;
}

static ser_status check_line(const ser_command_line *line, bool tsan_abi, ser_error *error)
{
    bool links = ser_line_links(line);
    if (links && line->is_static)
        return ser_fail(error, SER_INPUT,
                        "a static program cannot be recorded: the runtime is a shared library "
                        "(leave out -static)");
    if (line->checks_threads && (links || !tsan_abi))
        return ser_fail(error, SER_INPUT,
                        "the thread sanitizer and seriatim cannot work in one program: leave out "
                        "-fsanitize=thread, or use --tsan-abi in its place");
    return SER_OK;
}

ser_status ser_driver_line(const ser_parts *parts, bool tsan_abi, char *const *arguments,
                           size_t count, ser_words *words, size_t *owned, ser_error *error)
{
    ser_command_line line = ser_line_read(arguments, count);
    bool links = ser_line_links(&line);
    ser_status status = check_parts(parts, tsan_abi, links, error);
    if (status == SER_OK)
        status = check_line(&line, tsan_abi, error);
    if (status != SER_OK)
        return status;
    add(words, "%s", parts->clang);
    add(words, "--start-no-unused-arguments");
    add(words, "-g");
    add(words, "-D__SERIATIM__=1");
    if (parts->include) {
        add(words, "-idirafter");
        add(words, "%s", parts->include);
        add(words, "-isystem"); /* a header of its that leaves std::string to the program */
        add(words, "%s/seriatim/libstdc++", parts->include);
    }
    if (tsan_abi)
        add_tsan(words);
    else
        add(words, "-fpass-plugin=%s", parts->plugin);
    if (links)
        add_runtime(words, parts->runtime);
    add(words, "--end-no-unused-arguments");
    *owned = words->count;
    for (size_t i = 0; i < count; i++)
        ser_vector_push(words, arguments[i]);
    ser_vector_push(words, NULL);
    return SER_OK;
}

void ser_words_fini(ser_words *words, size_t owned)
{
    for (size_t i = 0; i < owned; i++)
        free(words->items[i]);
    ser_vector_free(words);
}

/* Our own options come first. Returns how many there are. The instrumenter lives in clang, which
 * would not take an option for it: so the environment says it. */
static int read_own_options(int argc, char **argv, bool *tsan_abi)
{
    int count = 0;
    for (; count < argc; count++) {
        if (strcmp(argv[count], "--tsan-abi") == 0)
            *tsan_abi = true;
        else if (strcmp(argv[count], "--no-copies") == 0)
            setenv("SERIATIM_COPIES", "0", 1);
        else
            break;
    }
    return count;
}

ser_status ser_driver_run(bool cplusplus, int argc, char **argv, ser_error *error)
{
    ser_parts parts;
    ser_words words = {0};
    size_t owned = 0;
    bool tsan_abi = false;
    int own = read_own_options(argc, argv, &tsan_abi);
    ser_parts_find(&parts, cplusplus);
    ser_status status =
        ser_driver_line(&parts, tsan_abi, argv + own, (size_t)(argc - own), &words, &owned, error);
    if (status == SER_OK) {
        execvp(words.items[0], words.items);
        status =
            ser_fail(error, SER_INPUT, "%s cannot be run: %s", words.items[0], strerror(errno));
    }
    ser_words_fini(&words, owned);
    ser_parts_fini(&parts);
    return status;
}
