/* SPDX-License-Identifier: MIT */
/*
 * The lines of source that the page shows beside an event: those that the traces name, with some
 * around them. A file that cannot be read is left out, and so is what would make the page large.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "report/html/html.h"
#include "report/source_line.h"

enum { AROUND = 12, MOST_BYTES = 1 << 20, LONGEST_LINE = 400 };

typedef SER_VECTOR(bool) wanted_lines; /* by number */

typedef struct files {
    ser_names *names;
    SER_VECTOR(wanted_lines) wanted; /* by file */
} files;

static void want(files *all, const char *location)
{
    static const uint32_t most_lines = 1000000;
    uint32_t line = 0;
    int length = ser_split_location(location, &line);
    if (!length || line == 0 || line > most_lines)
        return;
    uint32_t file = ser_names_add(all->names, location, (size_t)length);
    wanted_lines *lines = ser_vector_slot(&all->wanted, file);
    uint32_t from = line > AROUND ? line - AROUND : 1;
    for (uint32_t i = from; i <= line + AROUND; i++)
        *ser_vector_slot(lines, i) = true;
}

static void gather(files *all, const ser_dossier *dossier)
{
    for (size_t i = 0; i < dossier->entries.count; i++) {
        const ser_run *run = dossier->entries.items[i].picture.run;
        bool known = false;
        for (size_t k = 0; k < i; k++)
            known |= dossier->entries.items[k].picture.run == run;
        for (uint32_t k = 0; run && !known && k < ser_symbols_site_count(run->symbols); k++)
            want(all, ser_short_location(ser_symbols_location(run->symbols, k)));
    }
}

/* [line, text] for each wanted line. The bytes that it took. */
static size_t write_file(ser_json *json, const char *name, const wanted_lines *wanted, size_t room)
{
    FILE *file = ser_open_source(name);
    char *line = NULL;
    size_t size = 0, used = 0;
    if (!file)
        return 0;
    ser_json_key(json, name);
    ser_json_open_array(json);
    for (size_t number = 1; number < wanted->count && getline(&line, &size, file) >= 0; number++) {
        if (!wanted->items[number] || used > room)
            continue;
        size_t length = strcspn(line, "\r\n");
        used += length;
        ser_json_open_array(json);
        ser_json_number(json, number);
        ser_json_bytes(json, line, length < LONGEST_LINE ? length : LONGEST_LINE);
        ser_json_close_array(json);
    }
    ser_json_close_array(json);
    free(line);
    fclose(file);
    return used;
}

void ser_page_write_sources(const ser_dossier *dossier, ser_json *json)
{
    files all = {.names = ser_names_create()};
    size_t room = MOST_BYTES;
    gather(&all, dossier);
    ser_json_key(json, "sources");
    ser_json_open_object(json);
    for (uint32_t i = 0; i < ser_names_count(all.names); i++) {
        size_t used = write_file(json, ser_names_text(all.names, i), &all.wanted.items[i], room);
        room = used < room ? room - used : 0;
        ser_vector_free(&all.wanted.items[i]);
    }
    ser_json_close_object(json);
    ser_vector_free(&all.wanted);
    ser_names_destroy(all.names);
}
