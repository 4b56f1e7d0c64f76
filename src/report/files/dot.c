/* SPDX-License-Identifier: MIT */
/*
 * The graph of each violation for Graphviz: its accesses, with the block as a box, and arrows for
 * what comes before what. The arrow that closes the cycle is dashed: both ends are one block.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "base/output/quote.h"
#include "report/dossier_formats.h"

static void write_node(FILE *file, size_t entry, size_t index, const ser_entry_access *access)
{
    char *text = NULL;
    if (asprintf(&text, "%s %s %s%s%s", access->thread, access->operation, access->variable,
                 *access->value ? " = " : "", access->value) < 0)
        ser_out_of_memory(0);
    ser_print(file, "      e%zu_%zu [label=", entry, index);
    ser_quote_dot(file, text);
    fputs(", tooltip=", file);
    ser_quote_dot(file, access->location);
    ser_print(file, "%s];\n", access->changed ? ", color=red" : "");
    free(text);
}

static void write_block(FILE *file, size_t number, const ser_entry *entry)
{
    ser_print(file, "    subgraph cluster_%zu_block {\n      style=rounded;\n      label=", number);
    ser_quote_dot(file, *entry->label ? entry->label : entry->function);
    fputs(";\n", file);
    for (size_t i = 0; i < entry->accesses.count; i++)
        if (entry->accesses.items[i].in_block)
            write_node(file, number, i, &entry->accesses.items[i]);
    fputs("    }\n", file);
}

static void write_arrows(FILE *file, size_t number, const ser_entry *entry)
{
    size_t count = entry->accesses.count;
    for (size_t i = 0; i + 1 < count; i++) {
        const ser_entry_access *from = &entry->accesses.items[i], *to = from + 1;
        bool same = strcmp(from->thread, to->thread) == 0;
        ser_print(file, "    e%zu_%zu -> e%zu_%zu [label=\"%s\"];\n", number, i, number, i + 1,
                  same ? "program order" : "conflict");
    }
    if (count > 1)
        ser_print(file, "    e%zu_%zu -> e%zu_0 [label=\"same block\", style=dashed];\n", number,
                  count - 1, number);
}

void ser_dossier_write_dot(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file)
{
    (void)style;
    fputs("digraph seriatim {\n  node [shape=box, fontname=\"monospace\"];\n", file);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++) {
        const ser_entry *entry = &dossier->entries.items[i];
        ser_print(file, "  subgraph cluster_%zu {\n    label=", i);
        ser_quote_dot(file, entry->title);
        fputs(";\n", file);
        write_block(file, i, entry);
        for (size_t k = 0; k < entry->accesses.count; k++)
            if (!entry->accesses.items[k].in_block)
                write_node(file, i, k, &entry->accesses.items[k]);
        write_arrows(file, i, entry);
        fputs("  }\n", file);
    }
    fputs("}\n", file);
}
