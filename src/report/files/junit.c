/* SPDX-License-Identifier: MIT */
/*
 * JUnit XML, as CI servers read it: a suite a result, that is a program that was run. A test case
 * an entry, which failed; an error for a run whose trace was refused; or one that passed, or was
 * skipped where only one thread ran: there is nothing to interleave then.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "base/output/quote.h"
#include "report/dossier_formats.h"
#include "report/source_line.h"

typedef struct suite {
    const char *program;
    uint64_t failures, errors, cases, skipped;
} suite;

static bool is_refused_run_of(const ser_dossier_run *run, size_t result)
{
    return run->result == result && run->refused;
}

static suite count_suite(const ser_dossier *dossier, size_t result)
{
    suite made = {.program = ser_dossier_program_of(dossier, result)};
    bool alone = true;
    for (size_t i = 0; i < dossier->runs.count; i++) {
        const ser_dossier_run *run = &dossier->runs.items[i];
        alone &= run->result != result || run->threads <= 1;
        made.errors += is_refused_run_of(run, result);
    }
    for (size_t i = 0; i < dossier->entries.count; i++)
        made.failures += ser_entry_is_of(&dossier->entries.items[i], result);
    made.cases = made.failures + made.errors;
    made.skipped = !made.cases && alone;
    if (!made.cases)
        made.cases = 1;
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

static void write_error(FILE *file, const ser_dossier_run *run, const suite *of)
{
    fputs("    <testcase name=\"recording\"", file);
    write_attribute(file, "classname", *of->program ? of->program : "seriatim");
    fputs(">\n      <error type=\"refused\"", file);
    write_attribute(file, "message", run->refused);
    fputs("/>\n    </testcase>\n", file);
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

static void write_counts(FILE *file, const suite *counted)
{
    ser_print(file,
              " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64
              "\" skipped=\"%" PRIu64 "\">\n",
              counted->cases, counted->failures, counted->errors, counted->skipped);
}

static void write_suite(FILE *file, const ser_dossier *dossier, size_t result)
{
    suite made = count_suite(dossier, result);
    fputs("  <testsuite", file);
    write_attribute(file, "name", made.program);
    write_counts(file, &made);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++)
        if (ser_entry_is_of(&dossier->entries.items[i], result))
            write_failure(file, &dossier->entries.items[i], &made);
    for (size_t i = 0; i < dossier->runs.count; i++)
        if (is_refused_run_of(&dossier->runs.items[i], result))
            write_error(file, &dossier->runs.items[i], &made);
    if (!made.failures && !made.errors)
        write_success(file, dossier, result, &made);
    fputs("  </testsuite>\n", file);
}

void ser_dossier_write_junit(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file)
{
    suite all = {0};
    (void)style;
    for (size_t i = 0; i < dossier->verdicts.count; i++) {
        suite made = count_suite(dossier, i);
        all.cases += made.cases;
        all.failures += made.failures;
        all.errors += made.errors;
        all.skipped += made.skipped;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"seriatim\"", file);
    write_counts(file, &all);
    for (size_t i = 0; i < dossier->verdicts.count; i++)
        write_suite(file, dossier, i);
    fputs("</testsuites>\n", file);
}
