/* SPDX-License-Identifier: MIT */
/* Findings as subjects of rules, and what is left of them. */
#include "base/output/print.h"
#include "report/suppress/suppress.h"

/* Variables by their names in the source, without what tells instances apart. */
static void add_access(ser_suppress_subject *subject, ser_suppress_access access)
{
    access.variable = ser_make_plain_name(access.variable, false);
    ser_vector_push(&subject->accesses, access);
}

static void fini_subject(ser_suppress_subject *subject)
{
    for (size_t i = 0; i < subject->accesses.count; i++)
        free((char *)subject->accesses.items[i].variable);
    ser_vector_free(&subject->variables);
    ser_vector_free(&subject->accesses);
}

/* --- entries of a dossier ----------------------------------------------------------- */

static bool is_entry_suppressed(const ser_entry *entry, ser_suppressions *list)
{
    ser_suppress_subject subject = {.kind = entry->kind,
                                    .id = entry->id,
                                    .label = entry->label,
                                    .function = entry->function,
                                    .location = entry->file};
    for (size_t i = 0; i < entry->variables.count; i++)
        ser_vector_push(&subject.variables, entry->variables.items[i]);
    for (size_t i = 0; i < entry->accesses.count; i++) {
        const ser_entry_access *from = &entry->accesses.items[i];
        add_access(&subject, (ser_suppress_access){from->operation, from->recorded, from->function,
                                                   from->location});
    }
    bool found = ser_suppressions_match(list, &subject);
    fini_subject(&subject);
    return found;
}

void ser_dossier_suppress(ser_dossier *dossier, ser_suppressions *list)
{
    size_t left = 0;
    for (size_t i = 0; i < dossier->entries.count; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        if (is_entry_suppressed(entry, list)) {
            ser_entry_fini(entry);
            dossier->suppressed++;
        } else {
            dossier->entries.items[left++] = *entry;
        }
    }
    dossier->entries.count = left;
}

void ser_dossier_print_suppressions(const ser_dossier *dossier, FILE *file)
{
    for (size_t i = 0; i < dossier->entries.count; i++)
        ser_print(file, "# %s\nid:%s\n", dossier->entries.items[i].title,
                  dossier->entries.items[i].id);
}

/* --- bugs and failures of a run --------------------------------------------------------- */

static bool is_bug_suppressed(const ser_bug *bug, ser_suppressions *list)
{
    ser_suppress_subject subject = {.kind = "atomicity",
                                    .id = bug->id,
                                    .label = bug->label,
                                    .function = bug->function,
                                    .location = bug->location};
    for (size_t i = 0; i < bug->variables.count; i++)
        ser_vector_push(&subject.variables, bug->variables.items[i]);
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *from = &bug->accesses.items[i];
        add_access(&subject, (ser_suppress_access){from->operation, from->variable, from->function,
                                                   from->location});
    }
    bool found = ser_suppressions_match(list, &subject);
    fini_subject(&subject);
    return found;
}

static bool is_failure_suppressed(const ser_failure *failure, ser_suppressions *list)
{
    static const char *const kinds[] = {"deadlock", "signal", "exit", "use after free",
                                        "double free"};
    const ser_suppress_subject subject = {.kind = kinds[failure->kind],
                                          .id = failure->id,
                                          .label = "",
                                          .function = failure->function ? failure->function : "",
                                          .location = failure->location ? failure->location : ""};
    return ser_suppressions_match(list, &subject);
}

/* What is suppressed goes behind the others and is finished with its list. */
void ser_run_suppress(ser_run_report *report, ser_suppressions *list)
{
    ser_bugs suppressed = {0};
    ser_failures failures = {0};
    size_t left = 0;
    for (size_t i = 0; i < report->bugs.list.count; i++) {
        ser_bug bug = report->bugs.list.items[i];
        if (is_bug_suppressed(&bug, list))
            ser_vector_push(&suppressed.list, bug);
        else
            report->bugs.list.items[left++] = bug;
    }
    report->bugs.list.count = left;
    left = 0;
    for (size_t i = 0; i < report->failures.count; i++) {
        ser_failure failure = report->failures.items[i];
        if (is_failure_suppressed(&failure, list))
            ser_vector_push(&failures, failure);
        else
            report->failures.items[left++] = failure;
    }
    report->failures.count = left;
    report->suppressed += suppressed.list.count + failures.count;
    ser_bugs_fini(&suppressed);
    ser_failures_fini(&failures);
}
