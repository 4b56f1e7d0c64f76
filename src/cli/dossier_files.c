/* SPDX-License-Identifier: MIT */
#include "cli/dossier_files.h"

#include <inttypes.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output/print.h"
#include "base/output/progress.h"

static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8");
    }
    return false;
}

static ser_dossier_style style_of_terminal(void)
{
    enum { NARROWEST = 60 };
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO))
        return (ser_dossier_style){0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST;
    return (ser_dossier_style){
        .width = known ? size.ws_col : 0,
        .colour = !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0,
        .unicode = is_utf8(),
    };
}

void ser_dossier_print(const ser_dossier *dossier)
{
    const ser_dossier_style style = style_of_terminal();
    ser_progress_erase();
    ser_dossier_write_text(dossier, &style, stdout);
    ser_dossier_warn_if_cut(dossier);
}

void ser_dossier_print_lines(const ser_dossier *dossier)
{
    ser_progress_erase();
    for (size_t i = 0; i < dossier->entries.count; i++) {
        const ser_entry *entry = &dossier->entries.items[i];
        ser_print(stdout, "%s%s%s: %s [%s, %s]\n", entry->location, *entry->location ? ": " : "",
                  ser_entry_was_seen(entry) ? "error" : "warning", entry->title, entry->id,
                  entry->status);
        if (*entry->lead)
            ser_print(stdout, "%s%s%s: %s\n", entry->location, *entry->location ? ": " : "", "note",
                      entry->lead);
    }
    ser_print(stdout, "%s: %zu finding%s, %" PRIu64 " suppressed\n", ser_dossier_verdict(dossier),
              dossier->entries.count, dossier->entries.count == 1 ? "" : "s", dossier->suppressed);
}

/* A folder, or something that is not there and has no ending like a file's. */
static bool is_folder(const char *path)
{
    struct stat about;
    const char *slash = strrchr(path, '/');
    if (stat(path, &about) == 0)
        return S_ISDIR(about.st_mode);
    return !strchr(slash ? slash : path, '.') || (slash && !slash[1]);
}

ser_status ser_dossier_deliver(const ser_dossier *dossier, const char *path, const char *name,
                               ser_error *error)
{
    const ser_dossier_format *format = name ? ser_dossier_format_by_name(name) : NULL;
    bool to_terminal = !path || strcmp(path, "-") == 0;
    if (to_terminal && (!format || format->write == ser_dossier_write_text)) {
        ser_dossier_print(dossier);
        return SER_OK;
    }
    if (to_terminal)
        return ser_dossier_save(dossier, format, "-", error);
    if (!format && is_folder(path))
        return ser_dossier_save_all(dossier, path, error);
    if (!format)
        format = ser_dossier_format_of_file(path);
    if (!format)
        return ser_fail(error, SER_USAGE,
                        "%s: cannot tell the format from the name; give one with --format", path);
    return ser_dossier_save(dossier, format, path, error);
}
