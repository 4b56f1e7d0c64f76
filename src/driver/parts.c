/* SPDX-License-Identifier: MIT */
/*
 * Finds clang, the plugin, the runtime and the headers. All but clang are looked
 * for from the folder of the running program, so that a build tree and an
 * installation that was moved both work.
 */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "driver/driver.h"

static bool find_own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

/* The first of the places, relative to the folder, that exists. */
static char *find_first(const char *folder, const char *const *places)
{
    char path[PATH_MAX + 64], real[PATH_MAX];
    for (; *places; places++) {
        snprintf(path, sizeof path, "%s/%s", folder, *places);
        if (access(path, R_OK) == 0 && realpath(path, real))
            return copy(real);
    }
    return NULL;
}

static char *find_clang(bool cplusplus)
{
    const char *wanted = getenv("SERIATIM_CLANG");
    if (!wanted || !*wanted)
        wanted = SER_CLANG;
    if (!*wanted)
        return NULL;
    char *clang = ser_resize(NULL, strlen(wanted) + sizeof "++", 1);
    sprintf(clang, "%s%s", wanted, "");
    if (!cplusplus)
        return clang;
    /* clang-14 is clang++-14 */
    const char *base = strrchr(wanted, '/') ? strrchr(wanted, '/') + 1 : wanted;
    const char *found = strstr(base, "clang");
    if (found && !strstr(base, "clang++")) {
        int stem = (int)(found - wanted) + (int)strlen("clang");
        sprintf(clang, "%.*s++%s", stem, wanted, wanted + stem);
    }
    return clang;
}

static char *find_runtime(const char *folder)
{
    static const char *const places[] = {"libseriatim-rt.so", SER_TO_LIBDIR "/libseriatim-rt.so",
                                         SER_TO_LIBDIR "/seriatim/libseriatim-rt.so", NULL};
    const char *wanted = getenv("SERIATIM_RUNTIME");
    char real[PATH_MAX];
    if (!wanted || !*wanted)
        return find_first(folder, places);
    return realpath(wanted, real) ? copy(real) : copy(wanted);
}

void ser_parts_find(ser_parts *parts, bool cplusplus)
{
    static const char *const plugins[] = {"seriatim-instrument.so",
                                          SER_TO_LIBDIR "/seriatim/seriatim-instrument.so", NULL};
    static const char *const includes[] = {"include/seriatim/annotate.h",
                                           SER_TO_INCLUDEDIR "/seriatim/annotate.h", NULL};
    char folder[PATH_MAX];
    *parts = (ser_parts){.clang = find_clang(cplusplus)};
    if (!find_own_folder(folder))
        return;
    parts->plugin = find_first(folder, plugins);
    parts->runtime = find_runtime(folder);
    parts->include = find_first(folder, includes);
    if (parts->include)
        parts->include[strlen(parts->include) - strlen("/seriatim/annotate.h")] = '\0';
}

void ser_parts_fini(ser_parts *parts)
{
    free(parts->clang);
    free(parts->plugin);
    free(parts->runtime);
    free(parts->include);
}
