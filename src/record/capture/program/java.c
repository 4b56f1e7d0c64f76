/* SPDX-License-Identifier: MIT */
#include "record/capture/program/java.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#define TOOL_OPTIONS "JAVA_TOOL_OPTIONS"

/* Identities of objects are counted, so that they are unique and the same in each run. Methods that
 * have become long are compiled all the same. The last one turns off a warning that the agent
 * defines native methods. */
static const char *const flags[] = {"-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=3",
                                    "-XX:-DontCompileHugeMethods", "-Xlog:jni+resolve=off"};
enum { FLAGS = sizeof flags / sizeof *flags };

/* --- is it one? ----------------------------------------------------------------- */

static bool is_java(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash ? slash + 1 : program, "java") == 0;
}

/* The file that execvp would run; false if there is none. */
static bool find_program(const char *program, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(program, '/') || !folders)
        return snprintf(path, PATH_MAX, "%s", program) < PATH_MAX;
    while (*folders) {
        size_t length = strcspn(folders, ":");
        if (snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folders, program) < PATH_MAX &&
            access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool is_script_for_java(const char *program)
{
    enum { LOOKED_AT = 1 << 16 };
    char path[PATH_MAX];
    FILE *file = find_program(program, path) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    char *start = ser_alloc(LOOKED_AT, 1);
    size_t size = fread(start, 1, LOOKED_AT - 1, file);
    bool found = size > 2 && memcmp(start, "#!", 2) == 0 && strstr(start, "java");
    free(start);
    fclose(file);
    return found;
}

/* --- what it needs ---------------------------------------------------------------- */

static bool find_own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash;
}

/* "-agentpath:..."; NULL if there is no agent. */
static char *find_agent(void)
{
    static const char *const places[] = {".", SER_TO_LIBDIR, SER_TO_LIBDIR "/seriatim"};
    char folder[PATH_MAX], real[PATH_MAX];
    for (size_t i = 0; find_own_folder(folder) && i < sizeof places / sizeof *places; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/%s/libseriatim-java.so", folder, places[i]);
        if (!realpath(path, real))
            continue;
        size_t size = strlen(real) + sizeof "-agentpath:";
        char *argument = ser_alloc(size, 1);
        snprintf(argument, size, "-agentpath:%s", real);
        return argument;
    }
    return NULL;
}

static void add_arguments(char *const *command, ser_java_start *start)
{
    size_t count = 0, at = 0;
    while (command[count])
        count++;
    start->arguments = ser_alloc(count + FLAGS + 2, sizeof *start->arguments);
    start->arguments[at++] = command[0];
    start->arguments[at++] = start->agent;
    for (size_t i = 0; i < FLAGS; i++)
        start->arguments[at++] = (char *)(uintptr_t)flags[i];
    for (size_t i = 1; i < count; i++)
        start->arguments[at++] = command[i];
}

/* What the user has set there is kept. */
static void add_environment(ser_java_start *start)
{
    const char *before = getenv(TOOL_OPTIONS);
    size_t size = strlen(start->agent) + (before ? strlen(before) : 0) + 256;
    start->environment = ser_alloc(size, 1);
    int at = snprintf(start->environment, size, "%s %s", before ? before : "", start->agent);
    for (size_t i = 0; i < FLAGS; i++)
        at += snprintf(start->environment + at, size - (size_t)at, " %s", flags[i]);
}

ser_status ser_java_prepare(char *const *command, ser_java_start *start, ser_error *error)
{
    *start = (ser_java_start){0};
    bool direct = is_java(command[0]);
    if (!direct && !is_script_for_java(command[0]))
        return SER_OK;
    start->agent = find_agent();
    if (!start->agent)
        return direct
                   ? ser_fail(error, SER_INPUT,
                              "libseriatim-java.so is missing: seriatim was built without a JDK; "
                              "install one (openjdk-17-jdk-headless) and build it again")
                   : SER_OK;
    if (direct)
        add_arguments(command, start);
    else
        add_environment(start);
    return SER_OK;
}

void ser_java_fini(ser_java_start *start)
{
    free(start->arguments);
    free(start->environment);
    free(start->agent);
    *start = (ser_java_start){0};
}
