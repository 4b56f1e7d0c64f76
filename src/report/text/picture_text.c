/* SPDX-License-Identifier: MIT */
#include "report/dossier/advice.h"
#include "report/dossier/own_lines.h"
#include "report/text/dossier_rows.h"

static char *print_picture(const ser_picture *picture)
{
    const ser_dossier_style style = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    ser_picture_print(picture, &style, file);
    fclose(file);
    return text;
}

/* Names of variables; and lines of own code where a library makes the access. */
static void name_accesses(ser_bug *bug, const ser_picture *picture)
{
    const ser_run *run = picture->run;
    for (size_t i = 0; i < bug->accesses.count; i++) {
        ser_bug_access *access = &bug->accesses.items[i];
        const char *plain = ser_plain_name_of(picture->names, access->variable);
        free(access->plain);
        access->plain = ser_copy_text(plain, strlen(plain));
        if (!ser_is_library_place(
                ser_symbols_location(run->symbols, run->events[access->event].site)))
            continue;
        free(access->location);
        access->location = ser_own_location(run, picture->names, access->event);
    }
}

/* What happens to one critical section is not for its being apart from another one. */
static void forget_halves(ser_bug *bug)
{
    free(bug->check);
    free(bug->act);
    bug->check = bug->act = NULL;
}

/* By the description that reports are made of, so that they say the same. */
static void illustrate(ser_bug *bug, const ser_run *run, const ser_dossier_witness *witness,
                       ser_plain_names **names)
{
    bool is_inner = bug->inner_function, in_section;
    const ser_entry bare = {.label = bug->label,
                            .function = is_inner ? bug->inner_function : bug->function,
                            .location = is_inner ? bug->inner_location : bug->location,
                            .atomic = ser_intention_name(bug->intention)};
    ser_dossier dossier = {0};
    ser_error error;
    if (!*names)
        *names = ser_plain_names_create(run);
    const ser_dossier_names lent = {run, *names};
    ser_vector_push(&dossier.names, lent);
    ser_vector_push(&dossier.entries, bare);
    ser_check(ser_dossier_draw(&dossier, 0, run, witness, &error) == SER_OK);
    const ser_entry *entry = &dossier.entries.items[0];
    bug->interleaving = print_picture(&entry->picture);
    bug->lead = ser_entry_make_lead(entry);
    bug->advice =
        ser_make_advice(&entry->picture, entry->location, bug->intention == SER_INTENTION_COMPOUND,
                        &bug->lock, &in_section);
    if (in_section)
        forget_halves(bug);
    name_accesses(bug, &entry->picture);
    dossier.names.count = 0; /* they are not the dossier's */
    ser_dossier_fini(&dossier);
}

void ser_bug_illustrate(ser_bug *bug, const ser_run *run, const ser_block_result *result,
                        ser_plain_names **names)
{
    const ser_dossier_witness witness = {
        .block = run->blocks.items[result->block].begin,
        .order = &result->order,
        .path = result->facts.path.items,
        .path_count = result->facts.path.count,
    };
    illustrate(bug, run, &witness, names);
}

void ser_bug_illustrate_observed(ser_bug *bug, const ser_run *run, const uint32_t *path,
                                 size_t count, ser_plain_names **names)
{
    ser_event_list order = {0};
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = path[i] > last ? path[i] : last;
    for (uint32_t i = 1; i <= last; i++)
        if (ser_op_takes_part((ser_op)run->events[i].op))
            ser_vector_push(&order, i);
    const ser_dossier_witness witness = {
        .block = bug->block,
        .order = &order,
        .path = path,
        .path_count = count,
    };
    illustrate(bug, run, &witness, names);
    ser_vector_free(&order);
}

static bool is_worth_words(const ser_event *event)
{
    ser_space space = ser_op_space((ser_op)event->op);
    return event->object != SER_NO_OBJECT && space != SER_SPACE_FUNCTION &&
           space != SER_SPACE_LABEL && ser_op_takes_part((ser_op)event->op);
}

void ser_failure_illustrate(ser_failure *failure, const ser_run *run)
{
    bool has_end = failure->kind == SER_FAILURE_SIGNAL || failure->kind == SER_FAILURE_EXIT;
    uint32_t last = has_end ? ser_find_last_event(run) : 0;
    ser_plain_names *names = ser_plain_names_create(run);
    if (last && is_worth_words(&run->events[last]))
        failure->last_step = ser_describe_step(run, names, last);
    if (failure->difference.variable && *failure->difference.variable) {
        const char *plain = ser_plain_name_of(names, failure->difference.variable);
        failure->difference.plain = ser_copy_text(plain, strlen(plain));
    }
    ser_plain_names_destroy(names);
}
