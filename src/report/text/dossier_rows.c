/* SPDX-License-Identifier: MIT */
/*
 * The rows that row_choice.h chooses, in columns. The block is a bracket in its thread's column,
 * which stays open while others run: that is what the reader is to see.
 */
#include "report/text/dossier_rows.h"

#include <inttypes.h>

#include "base/output/print.h"
#include "report/source_line.h"
#include "report/text/dossier_cells.h"
#include "report/text/row_choice.h"

enum {
    WIDEST_CELL = 44,
    NARROWEST_CELL = 8,
    LEAST_FOR_SOURCE = 12, /* a location */
    LEAST_FOR_LINE = 30,   /* of source beside all rows; else it stands below those that matter */
    WIDEST_LOCATION = 32
};

typedef struct lane {
    uint32_t thread;
    int width;
} lane;

typedef struct rows {
    const ser_picture *picture;
    const ser_dossier_style *style;
    ser_row_choice choice;
    int number_width, location_width;
    bool source_below;
    SER_VECTOR(lane) lanes;
} rows;

static const ser_picture_step *step_at(const rows *all, size_t i)
{
    return &all->picture->steps.items[i];
}

static const ser_event *event_at(const rows *all, size_t i)
{
    return ser_picture_event(all->picture, i);
}

/* --- cells -------------------------------------------------------------------------- */

static const char *thread_name(const rows *all, uint32_t thread)
{
    return ser_symbols_shown_name(all->picture->run->symbols, SER_SPACE_THREAD, thread);
}

static lane *lane_of(rows *all, uint32_t thread)
{
    for (size_t i = 0; i < all->lanes.count; i++)
        if (all->lanes.items[i].thread == thread)
            return &all->lanes.items[i];
    lane added = {thread, NARROWEST_CELL};
    ser_vector_push(&all->lanes, added);
    return &all->lanes.items[all->lanes.count - 1];
}

static int limit_width(size_t width, int most)
{
    return width > (size_t)most ? most : (int)width;
}

/* Lines of source stand below one another where their locations are not too different. */
static void measure_location(rows *all, size_t i)
{
    char *location = ser_picture_location(all->picture, step_at(all, i));
    int width = (int)strlen(location);
    if (width <= WIDEST_LOCATION && width > all->location_width)
        all->location_width = width;
    free(location);
}

/* Without what is at their end. */
static int width_of_rows(const rows *all)
{
    int width = all->number_width + 8;
    for (size_t i = 0; i < all->lanes.count; i++)
        width += all->lanes.items[i].width + 4;
    return width;
}

/* The block's thread comes first. */
static void measure(rows *all)
{
    char cell[SER_CELL_SIZE];
    if (all->picture->path.count)
        lane_of(all, ser_picture_block(all->picture)->thread);
    for (size_t i = 0; i < all->picture->steps.count; i++) {
        if (all->choice.kinds[i] != SER_ROW_SHOWN)
            continue;
        lane *own = lane_of(all, event_at(all, i)->thread);
        ser_picture_cell(all->picture, step_at(all, i), cell);
        int width = limit_width(strlen(cell), WIDEST_CELL);
        if (width > own->width)
            own->width = width;
        measure_location(all, i);
    }
    int used = width_of_rows(all);
    int room = (int)all->style->width - LEAST_FOR_SOURCE, lanes = (int)all->lanes.count;
    for (int i = 0; used > room && i < lanes; i++) { /* narrow all, not below what can be read */
        int share = (room - all->number_width - 8) / lanes - 4;
        int least = share > 3 * NARROWEST_CELL ? share : 3 * NARROWEST_CELL;
        if (all->lanes.items[i].width > least)
            all->lanes.items[i].width = least;
    }
    int left = (int)all->style->width - width_of_rows(all) - 4 - all->location_width;
    all->source_below = left < LEAST_FOR_LINE;
}

/* --- printing ------------------------------------------------------------------------ */

static const char *colour(const rows *all, const char *code)
{
    return all->style->colour ? code : "";
}

/* The bracket of the block in its lane. */
static const char *bracket(const rows *all, size_t i)
{
    bool fine = all->style->unicode;
    if (all->choice.block_first == SIZE_MAX || i < all->choice.block_first ||
        i > all->choice.block_last)
        return " ";
    if (i == all->choice.block_first)
        return fine ? "\u250c" : "/";
    if (all->choice.block_ends && i == all->choice.block_last)
        return fine ? "\u2514" : "\\";
    return fine ? "\u2502" : "|";
}

/* Cut where there is no room for it. */
static void print_line(const rows *all, const char *line, int indent, int room, FILE *file)
{
    bool fits = (int)strlen(line) <= room;
    ser_print_made(file, colour(all, "\033[2m"));
    ser_print(file, "%*s%.*s%s", indent, "", fits ? room : room - 2, line, fits ? "" : "..");
    ser_print_made(file, colour(all, "\033[0m"));
}

static void print_source(const rows *all, size_t i, int used, FILE *file)
{
    char *location = ser_picture_location(all->picture, step_at(all, i));
    int width = (int)strlen(location), pad = all->location_width - width;
    pad = pad > 0 ? pad : 0;
    int room = (int)all->style->width - used - 4 - width - pad;
    bool has_room = width && !all->source_below && room >= LEAST_FOR_LINE;
    char *line = has_room ? ser_picture_source(all->picture, step_at(all, i)) : NULL;
    if (width)
        ser_print(file, "  %s", location);
    if (line && *line)
        print_line(all, line, pad + 2, room, file);
    free(line);
    free(location);
}

/* A row of its own, from the thread's column on. */
static void print_source_below(const rows *all, size_t i, FILE *file)
{
    enum { DEEPER = 4 };
    int indent = DEEPER;
    for (size_t k = 0; all->lanes.items[k].thread != event_at(all, i)->thread; k++)
        indent += all->lanes.items[k].width + 4;
    int room = (int)all->style->width - all->number_width - 10 - indent;
    char *line = room < LEAST_FOR_LINE ? NULL : ser_picture_source(all->picture, step_at(all, i));
    if (line && *line) {
        ser_print(file, "      %*s  ", all->number_width, "");
        ser_print_made(file, colour(all, "\033[33m"));
        ser_print(file, "%s", bracket(all, i));
        ser_print_made(file, colour(all, "\033[0m"));
        print_line(all, line, indent, room, file);
        fputc('\n', file);
    }
    free(line);
}

static void print_row(const rows *all, size_t i, bool switches, FILE *file)
{
    const ser_picture_step *step = step_at(all, i);
    bool on_path = step->flags & SER_STEP_ON_PATH, changed = step->flags & SER_STEP_CHANGED;
    char cell[SER_CELL_SIZE];
    int used = all->number_width + 6;
    ser_picture_cell(all->picture, step_at(all, i), cell);
    ser_print(file, "  %c%c%c %*" PRIu32, switches ? '>' : ' ', on_path ? '*' : ' ',
              changed ? '!' : ' ', all->number_width, step->event);
    for (size_t k = 0; k < all->lanes.count; k++) {
        const lane *here = &all->lanes.items[k];
        bool own = here->thread == event_at(all, i)->thread;
        fputs("  ", file);
        ser_print_made(file, k == 0 ? colour(all, "\033[33m") : "");
        ser_print(file, "%s ", k == 0 ? bracket(all, i) : " ");
        ser_print_made(file, k == 0 ? colour(all, "\033[0m") : "");
        if (own)
            ser_cell_shorten(cell, (size_t)here->width);
        const char *weight = changed ? "\033[1;31m" : on_path ? "\033[1m" : "";
        ser_print_made(file, own ? colour(all, weight) : "");
        ser_print(file, "%-*s", here->width, own ? cell : "");
        ser_print_made(file, own && (changed || on_path) ? colour(all, "\033[0m") : "");
        used += here->width + 4;
    }
    print_source(all, i, used, file);
    fputc('\n', file);
}

/* "... 125 steps of T1": a line for steps that are not shown. */
static void print_fold(const rows *all, size_t i, uint64_t count, const char *what,
                       const char *whose, FILE *file)
{
    ser_print(file, "      %*s  %s   ... %" PRIu64 " %s%s%s%s\n", all->number_width, "",
              bracket(all, i), count, what, count == 1 ? "" : "s", *whose ? " of " : "", whose);
}

/* Steps that are not shown, of one thread if they are. */
static size_t print_folded(const rows *all, size_t i, FILE *file)
{
    size_t telling, end = ser_row_choice_end_of_folded(&all->choice, i, &telling);
    bool same = true;
    for (size_t k = i; k < end; k++)
        same &= event_at(all, k)->thread == event_at(all, i)->thread;
    if (telling)
        print_fold(all, i, end - i, "step",
                   same ? thread_name(all, event_at(all, i)->thread) : "several threads", file);
    return end;
}

/* "18 more unlocks" */
static size_t print_alike(const rows *all, size_t i, FILE *file)
{
    size_t end = i;
    uint64_t count = 0;
    for (; end < all->picture->steps.count && all->choice.kinds[end] != SER_ROW_SHOWN; end++)
        count += all->choice.kinds[end] == SER_ROW_ALIKE;
    if (count == 1)
        print_row(all, i, false, file);
    else
        ser_print(file, "      %*s  %s   ... %" PRIu64 " more %s\n", all->number_width, "",
                  bracket(all, i), count, ser_op_verb((ser_op)event_at(all, i)->op));
    return end;
}

static void print_headings(const rows *all, FILE *file)
{
    ser_print_made(file, colour(all, "\033[1m"));
    ser_print(file, "      %*s", all->number_width, "event");
    for (size_t i = 0; i < all->lanes.count; i++)
        ser_print(file, "    %-*.*s", all->lanes.items[i].width, all->lanes.items[i].width,
                  thread_name(all, all->lanes.items[i].thread));
    ser_print(file, "  source\n");
    ser_print_made(file, colour(all, "\033[0m"));
}

static void print_rows(const rows *all, FILE *file)
{
    size_t count = all->picture->steps.count;
    uint32_t last = SER_NO_OBJECT; /* thread of the row above */
    for (size_t i = 0; i < count;) {
        if (all->choice.kinds[i] == SER_ROW_SHOWN) {
            uint32_t thread = event_at(all, i)->thread;
            print_row(all, i, last != SER_NO_OBJECT && last != thread, file);
            if (all->source_below && step_at(all, i)->flags & SER_STEP_ON_PATH)
                print_source_below(all, i, file);
            last = thread;
            i++;
        } else if (all->choice.kinds[i] == SER_ROW_ALIKE) {
            i = print_alike(all, i, file);
        } else {
            i = print_folded(all, i, file);
        }
    }
    if (all->choice.block_first != SIZE_MAX && !all->choice.block_ends)
        ser_print(file, "      %*s  %s   the block is still open here\n", all->number_width, "",
                  all->style->unicode ? "\u2502" : "|");
}

void ser_picture_print(const ser_picture *picture, const ser_dossier_style *style, FILE *file)
{
    ser_dossier_style with_width = *style;
    if (!with_width.width)
        with_width.width = SER_TEXT_WIDTH;
    rows all = {.picture = picture,
                .style = &with_width,
                .number_width = snprintf(NULL, 0, "%" PRIu32, picture->run->count)};
    if (all.number_width < 5)
        all.number_width = 5; /* "event" */
    ser_row_choice_init(&all.choice, picture);
    measure(&all);
    print_headings(&all, file);
    print_rows(&all, file);
    if (picture->path.count)
        ser_print(file,
                  "  * shows the violation   ! reads another write than in the recorded run   "
                  "> context switch\n");
    ser_row_choice_fini(&all.choice);
    ser_vector_free(&all.lanes);
}
