/* SPDX-License-Identifier: MIT */
#include "report/html/html.h"

#include <inttypes.h>

#include "base/output/print.h"
#include "base/output/quote.h"
#include "report/text/dossier_rows.h"

extern const char ser_page_style[], ser_page_script[];
extern const size_t ser_page_style_size, ser_page_script_size;

/* --- for everybody: words ---------------------------------------------------------- */

static void write_paragraph(FILE *file, const char *kind, const char *text)
{
    ser_print(file, "<p class=\"%s\">", kind);
    ser_quote_xml(file, text);
    fputs("</p>\n", file);
}

/* The picture as text: for paper, and where there is no script. */
static void write_picture(FILE *file, const ser_entry *entry)
{
    const ser_dossier_style style = {.unicode = true};
    char *text = NULL;
    size_t size = 0;
    if (!entry->picture.run)
        return;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        ser_out_of_memory(size);
    ser_picture_print(&entry->picture, &style, memory);
    fclose(memory);
    fputs("<details class=\"as-text\"><summary>The interleaving as text</summary>\n<pre>", file);
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        ser_quote_xml(file, line);
        fputc('\n', file);
    }
    fputs("</pre></details>\n", file);
    free(text);
}

static void write_entry(FILE *file, const ser_entry *entry, size_t number)
{
    ser_print(file, "<section class=\"finding\" id=\"finding-%zu\" data-index=\"%zu\">\n<h2>",
              number, number - 1);
    ser_quote_xml(file, entry->title);
    fputs("</h2>\n<p class=\"badges\"><span class=\"badge ", file);
    ser_print(file, "%s\">", ser_entry_was_seen(entry) ? "seen" : "predicted");
    ser_quote_xml(file, entry->status);
    fputs("</span> <span class=\"badge\">", file);
    ser_quote_xml(file, entry->kind);
    fputs("</span> <code class=\"id\">", file);
    ser_quote_xml(file, entry->id);
    fputs("</code></p>\n", file);
    write_paragraph(file, "lead", entry->lead);
    write_paragraph(file, "certainty", entry->certainty);
    if (entry->consequence) {
        fputs("<p class=\"consequence\">Replay: ", file);
        ser_quote_xml(file, entry->consequence);
        fputs(".</p>\n", file);
    }
    if (entry->also) {
        fputs("<p class=\"consequence\">Also found in: ", file);
        ser_quote_xml(file, entry->also);
        fputs("</p>\n", file);
    }
    if (entry->replay) {
        fputs("<p class=\"replay\"><span>To see it again</span> <code>", file);
        ser_quote_xml(file, entry->replay);
        fputs("</code></p>\n", file);
    }
    fputs("<div class=\"diagram\"></div>\n", file);
    write_picture(file, entry);
    fputs("</section>\n", file);
}

/* --- the runs -------------------------------------------------------------------------- */

static void write_number(FILE *file, uint64_t number)
{
    ser_print(file, "<td>%" PRIu64 "</td>", number);
}

static void write_run(FILE *file, const ser_dossier_run *run)
{
    fputs("<tr><th scope=\"row\"><code>", file);
    ser_quote_xml(file, run->trace);
    fputs("</code></th><td class=\"words\">", file);
    ser_quote_xml(file, run->schedule);
    fputs("</td>", file);
    write_number(file, run->events);
    write_number(file, run->threads);
    write_number(file, run->blocks);
    write_number(file, run->undecided);
    fputs("<td class=\"words\">", file);
    if (run->deadlock)
        fputs("deadlock", file);
    else if (run->signal)
        ser_print(file, "signal %" PRIu64, run->signal);
    else if (*run->program)
        ser_print(file, "status %" PRIu64, run->exit);
    if (run->partial)
        fputs(", in part", file);
    if (run->refused) {
        fputs("; the trace was refused: ", file);
        ser_quote_xml(file, run->refused);
    }
    fputs("</td></tr>\n", file);
}

static void write_runs(FILE *file, const ser_dossier *dossier)
{
    enum { MOST_SHOWN = 3 };
    ser_print(file, "<details class=\"runs\"%s><summary>Runs</summary>\n",
              dossier->runs.count <= MOST_SHOWN ? " open" : "");
    fputs("<div class=\"scroll\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"Runs\"><table>\n<thead><tr><th "
          "scope=\"col\">trace</th><th scope=\"col\" class=\"words\">schedule</th><th "
          "scope=\"col\">events</th><th "
          "scope=\"col\">threads</th><th scope=\"col\">blocks</th><th "
          "scope=\"col\">undecided</th><th "
          "scope=\"col\" class=\"words\">ended with</th></tr></thead>\n<tbody>\n",
          file);
    for (size_t i = 0; i < dossier->runs.count; i++)
        write_run(file, &dossier->runs.items[i]);
    fputs("</tbody></table></div></details>\n", file);
}

/* --- the page ----------------------------------------------------------------------------- */

/* Within a script `<` could end it; in JSON it stands in texts only. */
static void write_json_bytes(void *context, const void *bytes, size_t count)
{
    const char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        if (at[i] == '<')
            fputs("\\u003c", context);
        else
            fputc(at[i], context);
    }
}

static void write_head(FILE *file, const ser_dossier *dossier)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"generator\" content=\"seriatim " SER_VERSION "\">\n<title>",
          file);
    ser_print(file, "%s", ser_dossier_verdict(dossier));
    if (dossier->runs.count && *dossier->runs.items[0].program) {
        fputs(" \u2013 ", file);
        ser_quote_xml(file, dossier->runs.items[0].program);
    }
    fputs(" \u2013 seriatim</title>\n<style>\n", file);
    fwrite(ser_page_style, 1, ser_page_style_size, file);
    fputs("</style>\n</head>\n", file);
}

static void write_top(FILE *file, const ser_dossier *dossier)
{
    const char *verdict = ser_dossier_verdict(dossier);
    fputs("<a class=\"skip\" href=\"#main\">Skip to the "
          "findings</a>\n<header>\n<h1>seriatim</h1>\n<p>",
          file);
    ser_print(file, "<span class=\"verdict %s\">%s</span> <code>", verdict, verdict);
    if (dossier->runs.count)
        ser_quote_xml(file, *dossier->runs.items[0].program ? dossier->runs.items[0].program
                                                            : dossier->runs.items[0].trace);
    fputs("</code></p>\n<div class=\"tools\"></div>\n</header>\n", file);
}

/* Findings of the same code differ in these. */
static void write_variables(FILE *file, const ser_entry *entry)
{
    if (!entry->variables.count)
        return;
    fputs("<small>", file);
    for (size_t i = 0; i < entry->variables.count && i < 3; i++) {
        ser_print(file, "%s", i ? ", " : "");
        ser_quote_xml(file, entry->variables.items[i]);
    }
    ser_print(file, "%s</small>", entry->variables.count > 3 ? ", ..." : "");
}

static void write_navigation(FILE *file, const ser_dossier *dossier)
{
    fputs("<nav aria-label=\"Findings\">\n<ol>\n", file);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++) {
        const ser_entry *entry = &dossier->entries.items[i];
        ser_print(file, "<li><a href=\"#finding-%zu\"><span class=\"dot %s\"></span>", i + 1,
                  ser_entry_was_seen(entry) ? "seen" : "predicted");
        ser_quote_xml(file, entry->title);
        write_variables(file, entry);
        fputs("</a></li>\n", file);
    }
    fputs("</ol>\n</nav>\n", file);
}

void ser_dossier_write_html(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file)
{
    ser_json json;
    (void)style;
    write_head(file, dossier);
    fputs("<body>\n", file);
    write_top(file, dossier);
    write_navigation(file, dossier);
    fputs("<main id=\"main\">\n<section class=\"overview\" aria-label=\"Overview\">\n<div "
          "class=\"tiles\"></div>\n",
          file);
    write_runs(file, dossier);
    fputs("</section>\n", file);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++)
        write_entry(file, &dossier->entries.items[i], i + 1);
    if (!dossier->entries.count)
        fputs("<p class=\"nothing\">Nothing was found.</p>\n", file);
    fputs("</main>\n<script type=\"application/json\" id=\"data\">", file);
    ser_json_init(&json, write_json_bytes, file);
    ser_page_write_data(dossier, &json);
    ser_json_end(&json);
    fputs("</script>\n<script>\n", file);
    fwrite(ser_page_script, 1, ser_page_script_size, file);
    fputs("</script>\n</body>\n</html>\n", file);
}
