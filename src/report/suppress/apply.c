/* SPDX-License-Identifier: MIT */
/* Findings as subjects of rules, and what is left of them. */
#include "base/output/print.h"
#include "report/suppress/suppress.h"

/* Variables by their names in the source, without what distinguishes instances. */
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

/* A place without what shows it: rules about accesses do not match it. */
static bool is_other_suppressed(const ser_entry *entry, const ser_entry_other *other,
                                ser_suppressions *list)
{
    ser_suppress_subject subject = {.kind = entry->kind,
                                    .id = other->id,
                                    .label = "",
                                    .function = other->function,
                                    .location = other->location};
    for (size_t i = 0; i < entry->variables.count; i++)
        ser_vector_push(&subject.variables, entry->variables.items[i]);
    bool found = ser_suppressions_match(list, &subject);
    fini_subject(&subject);
    return found;
}

/* Is all of it? */
static bool is_suppressed(const ser_entry *entry, ser_suppressions *list)
{
    bool all = is_entry_suppressed(entry, list);
    for (size_t i = 0; all && i < entry->others.count; i++)
        all = is_other_suppressed(entry, &entry->others.items[i], list);
    return all;
}

void ser_dossier_suppress(ser_dossier *dossier, ser_suppressions *list)
{
    size_t left = 0;
    for (size_t i = 0; i < dossier->entries.count; i++) {
        ser_entry *entry = &dossier->entries.items[i];
        if (is_suppressed(entry, list)) {
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
    for (size_t i = 0; i < dossier->entries.count; i++) {
        const ser_entry *entry = &dossier->entries.items[i];
        const char *last = entry->id;
        ser_print(file, "# %s\nid:%s\n", entry->title, entry->id);
        for (size_t j = 0; j < entry->others.count; j++) {
            if (strcmp(entry->others.items[j].id, last) != 0)
                ser_print(file, "id:%s\n", entry->others.items[j].id);
            last = entry->others.items[j].id;
        }
    }
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
    const ser_suppress_subject subject = {.kind = ser_failure_kind_name(failure->kind),
                                          .id = failure->id,
                                          .label = "",
                                          .function = failure->function ? failure->function : "",
                                          .location = failure->location ? failure->location : ""};
    return ser_suppressions_match(list, &subject);
}

/* What is left of an entry: places that are not suppressed, the first of which it then is. False:
 * nothing is. */
static bool keep_places(ser_bug *bug, ser_suppressions *list)
{
    SER_VECTOR(ser_bug) left = {0};
    ser_bug head = *bug;
    memset(&head.others, 0, sizeof head.others);
    for (size_t i = 0; i <= bug->others.count; i++) {
        ser_bug *place = i == 0 ? &head : &bug->others.items[i - 1];
        if (is_bug_suppressed(place, list))
            ser_bug_fini(place);
        else
            ser_vector_push(&left, *place);
    }
    ser_vector_free(&bug->others);
    if (left.count)
        *bug = left.items[0];
    for (size_t i = 1; i < left.count; i++)
        ser_vector_push(&bug->others, left.items[i]);
    bool any = left.count > 0;
    ser_vector_free(&left);
    return any;
}

void ser_run_suppress(ser_run_report *report, ser_suppressions *list)
{
    ser_failures failures = {0};
    size_t all = report->bugs.list.count, left = 0;
    for (size_t i = 0; i < all; i++) {
        ser_bug bug = report->bugs.list.items[i];
        if (keep_places(&bug, list))
            report->bugs.list.items[left++] = bug;
    }
    report->bugs.list.count = left;
    report->suppressed += all - left;
    left = 0;
    for (size_t i = 0; i < report->failures.count; i++) {
        ser_failure failure = report->failures.items[i];
        if (is_failure_suppressed(&failure, list))
            ser_vector_push(&failures, failure);
        else
            report->failures.items[left++] = failure;
    }
    report->failures.count = left;
    report->suppressed += failures.count;
    ser_failures_fini(&failures);
}
