/* SPDX-License-Identifier: MIT */
#include "report/text/dossier_rows.h"

static char *print_picture(const ser_run *run, const ser_plain_names *names,
                           const ser_block_result *result)
{
    const ser_dossier_style style = {0};
    const ser_dossier_witness witness = {
        .block = run->blocks.items[result->block].begin,
        .order = &result->order,
        .path = result->facts.path.items,
        .path_count = result->facts.path.count,
    };
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
    return text;
}

void ser_bug_illustrate(ser_bug *bug, const ser_run *run, const ser_block_result *result)
{
    ser_plain_names *names = ser_plain_names_create(run);
    bug->interleaving = print_picture(run, names, result);
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const char *plain = ser_plain_name_of(names, bug->accesses.items[i].variable);
        free(bug->accesses.items[i].plain);
        bug->accesses.items[i].plain = ser_copy_text(plain, strlen(plain));
    }
    ser_plain_names_destroy(names);
}
