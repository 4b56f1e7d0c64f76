/* SPDX-License-Identifier: MIT */
#include "record/capture/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/options/suggest.h"
#include "base/output/print.h"
#include "contract/options.h"

typedef struct setting_row {
    const char *name;
    uint64_t standard, smallest, largest;
    const char *help;
} setting_row;

static const setting_row table[] = {
#define SER_X(name, standard, smallest, largest, help) {#name, standard, smallest, largest, help},
    SER_RUNTIME_OPTIONS(SER_X)
#undef SER_X
        {NULL, 0, 0, 0, NULL},
};

static const char *const schedulers[] = SER_SCHEDULER_NAMES;

void ser_settings_cut(ser_settings *settings, size_t length)
{
    if (length >= strlen(ser_settings_text(settings)))
        return;
    settings->items[length] = '\0';
    settings->count = length + 1;
}

const char *ser_settings_text(const ser_settings *settings)
{
    return settings->items ? settings->items : "";
}

void ser_settings_add_text(ser_settings *settings, const char *text)
{
    if (!text || !*text)
        return;
    size_t length = strlen(text), before = strlen(ser_settings_text(settings));
    ser_vector_reserve(settings, before + length + 2);
    if (before > 0)
        settings->items[before++] = ':';
    memcpy(settings->items + before, text, length + 1);
    settings->count = before + length + 1;
}

void ser_settings_add(ser_settings *settings, const char *name, const char *value)
{
    size_t length = strlen(name) + strlen(value) + 2;
    char *text = ser_alloc(length, 1);
    snprintf(text, length, "%s=%s", name, value);
    ser_settings_add_text(settings, text);
    free(text);
}

static const setting_row *find_setting(const char *name)
{
    for (const setting_row *found = table; found->name; found++)
        if (strcmp(found->name, name) == 0)
            return found;
    return NULL;
}

static bool is_scheduler(const char *value)
{
    for (size_t i = 0; i < SER_SCHEDULER_COUNT; i++)
        if (strcmp(schedulers[i], value) == 0)
            return true;
    return false;
}

static bool fits(const setting_row *setting, const char *value)
{
    if (strcmp(setting->name, "scheduler") == 0)
        return is_scheduler(value);
    if (strcmp(setting->name, "exact") == 0 && strcmp(value, "all") == 0)
        return true;
    if (!*value || value[strspn(value, "0123456789")])
        return false;
    errno = 0;
    uint64_t number = strtoull(value, NULL, 10);
    return errno == 0 && number >= setting->smallest && number <= setting->largest;
}

static ser_status refuse_name(const char *name, ser_error *error)
{
    ser_suggestion best = {0};
    for (const setting_row *known = table; known->name; known++)
        ser_suggest(&best, name, known->name);
    ser_fail(error, SER_USAGE, "SERIATIM_OPTIONS: unknown option \"%s\"", name);
    if (best.word)
        ser_error_append(error, "; did you mean %s?", best.word);
    ser_error_append(error, " (help=1 lists them)");
    return SER_USAGE;
}

static ser_status refuse_value(const setting_row *setting, const char *value, ser_error *error)
{
    if (strcmp(setting->name, "scheduler") == 0)
        return ser_fail(error, SER_USAGE, "scheduler is round-robin, random or pct, not \"%s\"",
                        value);
    if (strcmp(setting->name, "exact") == 0)
        return ser_fail(error, SER_USAGE, "exact is a number of operations, or all, not \"%s\"",
                        value);
    return ser_fail(error, SER_USAGE,
                    "%s is a whole number from %" PRIu64 " to %" PRIu64 ", not \"%s\"",
                    setting->name, setting->smallest, setting->largest, value);
}

/* One name=value; cut at the = sign. */
static ser_status check_item(char *item, bool *help, ser_error *error)
{
    char *value = strchr(item, '=');
    if (!value)
        return ser_fail(error, SER_USAGE, "SERIATIM_OPTIONS: \"%s\" has no value", item);
    *value++ = '\0';
    if (strcmp(item, "help") == 0) {
        *help = strcmp(value, "0") != 0;
        return SER_OK;
    }
    const setting_row *setting = find_setting(item);
    if (!setting)
        return refuse_name(item, error);
    return fits(setting, value) ? SER_OK : refuse_value(setting, value, error);
}

ser_status ser_settings_check(ser_settings *settings, bool *help, ser_error *error)
{
    const char *text = ser_settings_text(settings);
    char *copy = ser_copy_text(text, strlen(text)), *rest = NULL;
    ser_status status = SER_OK;
    *help = false;
    for (char *item = strtok_r(copy, ":", &rest); item && status == SER_OK;
         item = strtok_r(NULL, ":", &rest))
        status = check_item(item, help, error);
    free(copy);
    return status;
}

void ser_settings_help(FILE *file)
{
    fputs("SERIATIM_OPTIONS holds name=value, several with colons:\n", file);
    for (const setting_row *known = table; known->name; known++) {
        ser_print(file, "  %-10s %s", known->name, known->help);
        if (strcmp(known->name, "scheduler") == 0)
            ser_print(file, " (%s)\n", schedulers[known->standard]);
        else
            ser_print(file, " (%" PRIu64 ")\n", known->standard);
    }
}

ser_status ser_class_choice_hand_over(const ser_class_choice *choice, ser_error *error)
{
    if (choice->dump && mkdir(choice->dump, 0777) != 0 && errno != EEXIST)
        return ser_fail(error, SER_INPUT, "cannot create %s: %s", choice->dump, strerror(errno));
    if (choice->include)
        setenv(SER_JAVA_INCLUDE, choice->include, 1);
    if (choice->exclude)
        setenv(SER_JAVA_EXCLUDE, choice->exclude, 1);
    if (choice->dump)
        setenv(SER_JAVA_DUMP, choice->dump, 1);
    return SER_OK;
}
