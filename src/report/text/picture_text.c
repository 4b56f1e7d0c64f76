/* SPDX-License-Identifier: MIT */
#include "report/text/dossier_rows.h"

char *ser_picture_text_of(const ser_run *run, const ser_block_result *result)
{
    const ser_dossier_style style = {0};
    const ser_dossier_witness witness = {
        .block = run->blocks.items[result->block].begin,
        .order = &result->order,
        .path = result->facts.path.items,
        .path_count = result->facts.path.count,
    };
    ser_plain_names *names = ser_plain_names_create(run->symbols);
    ser_picture picture = {0};
    ser_error error;
    char *text = NULL;
    size_t size = 0;
    ser_check(ser_picture_make(&picture, run, names, &witness, &error) == SER_OK);
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    ser_picture_print(&picture, &style, file);
    fclose(file);
    ser_picture_fini(&picture);
    ser_plain_names_destroy(names);
    return text;
}
