/* SPDX-License-Identifier: MIT */
#include "java/agent/patterns.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/options.h"
#include "runtime/core/log.h"

enum { LONGEST = 1024 };

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_of_library(const char *name)
{
    static const char *const packages[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/", NULL};
    for (const char *const *package = packages; *package; package++)
        if (starts_with(name, *package))
            return true;
    return false;
}

/* Of the library, but with data that threads may share by mistake: they are documented as not
 * synchronized. */
static bool is_shared_by_mistake(const char *name)
{
    static const char *const classes[] = {"java/text/SimpleDateFormat",  "java/text/DateFormat",
                                          "java/text/DecimalFormat",     "java/util/Calendar",
                                          "java/util/GregorianCalendar", NULL};
    for (const char *const *one = classes; *one; one++)
        if (strcmp(name, *one) == 0)
            return true;
    return false;
}

/* Rewritten code calls these. */
static bool is_needed_by_hooks(const char *name)
{
    return starts_with(name, "java/lang/") || starts_with(name, "jdk/internal/") ||
           starts_with(name, "java/util/concurrent/");
}

static bool matches_one(const char *pattern, size_t length, const char *name)
{
    char copy[LONGEST];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, pattern, length);
    copy[length] = '\0';
    return fnmatch(copy, name, 0) == 0;
}

static bool matches(const char *variable, const char *name)
{
    const char *patterns = getenv(variable);
    while (patterns && *patterns) {
        size_t length = strcspn(patterns, ",");
        if (matches_one(patterns, length, name))
            return true;
        patterns += length + (patterns[length] == ',');
    }
    return false;
}

/* With dots, as people write it. */
static void write_dots(const char *name, char dotted[LONGEST])
{
    snprintf(dotted, LONGEST, "%s", name);
    for (char *slash = dotted; (slash = strchr(slash, '/'));)
        *slash = '.';
}

bool ser_class_mode_of(const char *name, ser_class_mode *mode)
{
    char dotted[LONGEST];
    write_dots(name, dotted);
    bool of_library = is_of_library(name);
    bool included = matches(SER_JAVA_INCLUDE, dotted), is_shared = is_shared_by_mistake(name);
    if (is_shared && !included) {
        *mode = SER_CLASS_OBJECTS;
        return true;
    }
    if (of_library && (!included || is_needed_by_hooks(name))) {
        *mode = SER_CLASS_CALLS;
        return ser_class_is_of_interest(name);
    }
    *mode = matches(SER_JAVA_EXCLUDE, dotted) ? SER_CLASS_SYNC : SER_CLASS_WHOLE;
    return true;
}

void ser_class_dump(const char *name, const ser_bytes *bytes)
{
    const char *folder = getenv(SER_JAVA_DUMP);
    char dotted[LONGEST], path[2 * LONGEST];
    if (!folder)
        return;
    write_dots(name, dotted);
    snprintf(path, sizeof path, "%s/%s.class", folder, dotted);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes->items, 1, bytes->count, file) == bytes->count;
    if ((file && fclose(file) != 0) || !written)
        ser_log(RUNTIME, INFO, "cannot write %s", ser_log_text(path));
}
