/* SPDX-License-Identifier: MIT */
/*
 * JUnit XML, as CI servers read it: a suite a result, that is a program that was run. A test case
 * an entry, which failed; or one that passed, or was skipped where only one thread ran: there is
 * nothing to interleave then.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "base/output/quote.h"
#include "report/dossier_formats.h"
#include "report/source_line.h"

typedef struct suite {
    const char *program;
    uint64_t failures, cases, skipped;
} suite;

static suite count_suite(const ser_dossier *dossier, size_t result)
{
    suite made = {.program = ser_dossier_program_of(dossier, result)};
    bool alone = true;
    for (size_t i = 0; i < dossier->runs.count; i++) {
        const ser_dossier_run *run = &dossier->runs.items[i];
        alone &= run->result != result || run->threads <= 1;
    }
    for (size_t i = 0; i < dossier->entries.count; i++)
        made.failures += ser_entry_is_of(&dossier->entries.items[i], result);
    made.cases = made.failures ? made.failures : 1;
    made.skipped = !made.failures && alone;
    return made;
}

static void write_attribute(FILE *file, const char *name, const char *value)
{
    ser_print(file, " %s=\"", name);
    ser_quote_xml(file, value);
    fputc('"', file);
}

static void write_failure(FILE *file, const ser_entry *entry, const suite *of)
{
    fputs("    <testcase", file);
    write_attribute(file, "name", entry->title);
    write_attribute(file, "classname", *of->program ? of->program : "seriatim");
    if (*entry->file)
        write_attribute(file, "file", ser_short_location(entry->file));
    if (entry->line)
        ser_print(file, " line=\"%" PRIu64 "\"", entry->line);
    fputs(">\n      <failure", file);
    write_attribute(file, "type", entry->kind);
    write_attribute(file, "message", entry->title);
    fputc('>', file);
    ser_quote_xml(file, entry->lead);
    fputc('\n', file);
    ser_quote_xml(file, entry->certainty);
    if (entry->consequence) {
        fputc('\n', file);
        ser_quote_xml(file, entry->consequence);
    }
    if (entry->replay) {
        fputs("\nto replay: ", file);
        ser_quote_xml(file, entry->replay);
    }
    fputs("</failure>\n    </testcase>\n", file);
}

/* What else there was to say of the program. */
static void write_success(FILE *file, const ser_dossier *dossier, size_t result, const suite *of)
{
    fputs("    <testcase name=\"atomicity\"", file);
    write_attribute(file, "classname", of->program);
    if (of->skipped)
        fputs(">\n      <skipped message=\"only one thread ran\"/>\n    </testcase>\n", file);
    else if (strcmp(dossier->verdicts.items[result], "undecided") == 0)
        fputs(">\n      <system-out>undecided: not everything was analysed</system-out>\n"
              "    </testcase>\n",
              file);
    else
        fputs("/>\n", file);
}

static void write_suite(FILE *file, const ser_dossier *dossier, size_t result)
{
    suite made = count_suite(dossier, result);
    fputs("  <testsuite", file);
    write_attribute(file, "name", made.program);
    ser_print(file,
              " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"0\" skipped=\"%" PRIu64
              "\">\n",
              made.cases, made.failures, made.skipped);
    for (size_t i = 0; i < dossier->entries.count; i++)
        if (ser_entry_is_of(&dossier->entries.items[i], result))
            write_failure(file, &dossier->entries.items[i], &made);
    if (!made.failures)
        write_success(file, dossier, result, &made);
    fputs("  </testsuite>\n", file);
}

void ser_dossier_write_junit(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file)
{
    uint64_t cases = 0, failures = 0, skipped = 0;
    (void)style;
    for (size_t i = 0; i < dossier->verdicts.count; i++) {
        suite made = count_suite(dossier, i);
        cases += made.cases;
        failures += made.failures;
        skipped += made.skipped;
    }
    ser_print(file,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<testsuites name=\"seriatim\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
              "\" errors=\"0\" "
              "skipped=\"%" PRIu64 "\">\n",
              cases, failures, skipped);
    for (size_t i = 0; i < dossier->verdicts.count; i++)
        write_suite(file, dossier, i);
    fputs("</testsuites>\n", file);
}
