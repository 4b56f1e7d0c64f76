/* SPDX-License-Identifier: MIT */
/* What result.json says (docs/reports.md) becomes entries and runs. */
#include "report/dossier/dossier.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "base/output/log.h"
#include "base/output/print.h"
#include "report/source_line.h"

const char *ser_dossier_keep(ser_dossier *dossier, char *text)
{
    if (!text)
        ser_out_of_memory(0);
    ser_vector_push(&dossier->texts, text);
    return text;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* "bank.c:44"; "" without a file. */
static const char *make_location(ser_dossier *dossier, const ser_json_node *from)
{
    const char *file = ser_json_text_in(from, "file");
    char *text = NULL;
    if (!file)
        return "";
    if (asprintf(&text, "%s:%" PRIu64, ser_short_location(file), ser_json_number_in(from, "line")) <
        0)
        text = NULL;
    return ser_dossier_keep(dossier, text);
}

/* The command line, as it would be typed. */
static const char *make_program(ser_dossier *dossier, const ser_json_node *argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    for (const ser_json_node *word = ser_json_first(argv); word; word = word->next) {
        if (ftell(file) > 0)
            fputc(' ', file);
        ser_print_word(file, or_empty(ser_json_text_of(word)));
    }
    fclose(file);
    return ser_dossier_keep(dossier, text);
}

static void add_access(ser_dossier *dossier, ser_entry *entry, const ser_json_node *from)
{
    const char *operation = or_empty(ser_json_text_in(from, "operation"));
    const char *variable = or_empty(ser_json_text_in(from, "variable"));
    ser_entry_access access = {
        .thread = or_empty(ser_json_text_in(from, "thread")),
        .operation = operation,
        .variable = ser_dossier_keep(dossier, ser_make_plain_name(variable, true)),
        .recorded = variable,
        .function = or_empty(ser_json_text_in(from, "function")),
        .location = make_location(dossier, from),
        .value = "",
        .was = "",
        .in_block = ser_json_bool_in(from, "inBlock"),
        .changed = ser_json_bool_in(from, "broken"),
        .is_write = strcmp(operation, "writes") == 0 || strcmp(operation, "updates") == 0,
    };
    ser_vector_push(&entry->accesses, access);
}

/* In which function is what comes between? */
static const char *find_interferer(const ser_json_node *accesses)
{
    for (const ser_json_node *item = ser_json_first(accesses); item; item = item->next)
        if (!ser_json_bool_in(item, "inBlock"))
            return or_empty(ser_json_text_in(item, "function"));
    return "";
}

static void add_others(ser_dossier *dossier, ser_entry *entry, const ser_json_node *list)
{
    for (const ser_json_node *item = ser_json_first(list); item; item = item->next) {
        const ser_entry_other other = {
            .id = or_empty(ser_json_text_in(item, "id")),
            .function = or_empty(ser_json_text_in(item, "function")),
            .location = make_location(dossier, item),
            .interferer = find_interferer(ser_json_member(item, "accesses")),
            .follows = ser_json_bool_in(item, "follows"),
        };
        ser_vector_push(&entry->others, other);
    }
}

static void add_texts(const ser_json_node *list, ser_entry *entry, bool are_waits)
{
    for (const ser_json_node *item = ser_json_first(list); item; item = item->next) {
        const char *text = or_empty(ser_json_text_of(item));
        if (are_waits)
            ser_vector_push(&entry->waits, text);
        else
            ser_vector_push(&entry->variables, text);
    }
}

static ser_entry read_common(ser_dossier *dossier, const ser_json_node *from, const char *program)
{
    ser_entry entry = {
        .id = or_empty(ser_json_text_in(from, "id")),
        .status = or_empty(ser_json_text_in(from, "status")),
        .reason = or_empty(ser_json_text_in(from, "reason")),
        .file = or_empty(ser_json_text_in(from, "file")),
        .line = ser_json_number_in(from, "line"),
        .location = make_location(dossier, from),
        .trace = ser_json_text_in(from, "trace"),
        .schedule = ser_json_text_in(from, "schedule"),
        .consequence = ser_json_text_in(from, "consequence"),
        .label = or_empty(ser_json_text_in(from, "label")),
        .function = or_empty(ser_json_text_in(from, "function")),
        .program = program,
        .result = dossier->verdicts.count - 1,
    };
    ser_vector_push(&entry.results, entry.result);
    return entry;
}

static void print_replay(FILE *file, const ser_entry *entry)
{
    const char *atomic = entry->given_atomic;
    ser_print(file, "seriatim replay ");
    ser_print_word(file, entry->trace);
    if (atomic && (entry->schedule || entry->block)) {
        ser_print(file, " --atomic ");
        ser_print_word(file, atomic);
    }
    if (entry->schedule) {
        ser_print(file, " --schedule ");
        ser_print_word(file, entry->schedule);
    } else if (entry->block) {
        ser_print(file, " --block %" PRIu64, entry->block);
    }
    ser_print(file, " -- ");
    ser_print_made(file, *entry->program ? entry->program : "PROGRAM");
}

/* By a schedule or a block; a run that failed as a whole. */
static const char *make_replay(ser_dossier *dossier, const ser_entry *entry)
{
    char *text = NULL;
    size_t size = 0;
    if (!entry->trace || (!entry->schedule && !entry->block && !entry->failure))
        return NULL;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        ser_out_of_memory(size);
    print_replay(file, entry);
    fclose(file);
    return ser_dossier_keep(dossier, text);
}

void ser_dossier_place_files(ser_dossier *dossier, size_t index, const char *trace,
                             const char *schedule)
{
    ser_entry *entry = &dossier->entries.items[index];
    entry->trace = ser_dossier_keep(dossier, ser_copy_text(trace, strlen(trace)));
    if (schedule)
        entry->schedule = ser_dossier_keep(dossier, ser_copy_text(schedule, strlen(schedule)));
    entry->replay = make_replay(dossier, entry);
}

static void add_violation(ser_dossier *dossier, const ser_json_node *from, const char *program,
                          const char *atomic)
{
    ser_entry entry = read_common(dossier, from, program);
    entry.kind = "atomicity";
    entry.memory_error = ser_json_text_in(from, "memoryError");
    entry.model = or_empty(ser_json_text_in(from, "model"));
    entry.atomic = or_empty(ser_json_text_in(from, "atomic"));
    entry.block = ser_json_number_in(from, "block");
    entry.blocks = ser_json_number_in(from, "blocks");
    add_texts(ser_json_member(from, "variables"), &entry, false);
    const ser_json_node *accesses = ser_json_member(from, "accesses");
    for (const ser_json_node *item = ser_json_first(accesses); item; item = item->next)
        add_access(dossier, &entry, item);
    add_others(dossier, &entry, ser_json_member(from, "others"));
    entry.given_atomic = atomic;
    entry.replay = make_replay(dossier, &entry);
    ser_vector_push(&dossier->entries, entry);
}

static void add_failure(ser_dossier *dossier, const ser_json_node *from, const char *program,
                        const char *atomic)
{
    ser_entry entry = read_common(dossier, from, program);
    entry.kind = or_empty(ser_json_text_in(from, "kind"));
    entry.failure = from;
    add_texts(ser_json_member(from, "waits"), &entry, true);
    entry.given_atomic = atomic;
    entry.replay = make_replay(dossier, &entry);
    ser_vector_push(&dossier->entries, entry);
}

static void add_run(ser_dossier *dossier, const ser_json_node *trace, const ser_json_node *run,
                    const char *program)
{
    ser_dossier_run made = {
        .trace = or_empty(ser_json_text_in(trace, "path")),
        .schedule = or_empty(ser_json_text_in(trace, "schedule")),
        .program = program,
        .result = dossier->verdicts.count - 1,
        .events = ser_json_number_in(trace, "events"),
        .threads = ser_json_number_in(trace, "threads"),
        .locks = ser_json_number_in(trace, "locks"),
        .variables = ser_json_number_in(trace, "variables"),
        .blocks = ser_json_number_in(trace, "blocks"),
        .undecided = ser_json_number_in(trace, "undecided"),
        .proven = ser_json_number_in(trace, "static"),
        .searched = ser_json_number_in(trace, "none"),
        .violated = ser_json_number_in(trace, "violation"),
        .settled = ser_json_member(trace, "settled"),
        .segments = ser_json_member(trace, "segments"),
        .orders = ser_json_number_in(trace, "orders"),
        .skipped = ser_json_number_in(trace, "skipped"),
        .deadlock = ser_json_bool_in(trace, "deadlock"),
        .partial = ser_json_bool_in(trace, "partial"),
        .refused = ser_json_text_in(trace, "refused"),
        .exit = ser_json_number_in(run, "exit"),
        .signal = ser_json_number_in(run, "signal"),
    };
    ser_vector_push(&dossier->runs, made);
}

static void add_runs(ser_dossier *dossier, const ser_json_node *root, const char *program)
{
    const ser_json_node *trace = ser_json_first(ser_json_member(root, "traces"));
    const ser_json_node *run = ser_json_first(ser_json_member(root, "runs"));
    for (; trace; trace = trace->next) {
        add_run(dossier, trace, run, program);
        run = run ? run->next : NULL;
    }
}

/* Counts an entry for which there is none. */
static bool has_room(ser_dossier *dossier)
{
    bool has = dossier->entries.count < SER_DOSSIER_MOST;
    dossier->omitted += !has;
    return has;
}

bool ser_dossier_may_write(const ser_dossier *dossier, size_t entry)
{
    return entry < dossier->entries.count && !ser_should_stop_writing();
}

void ser_dossier_warn_if_cut(const ser_dossier *dossier)
{
    if (dossier->entries.count && ser_should_stop_writing())
        ser_warning("the report may be incomplete: %s", ser_stop_reason());
    else if (dossier->omitted)
        ser_warning("%" PRIu64 " more findings are not in the report", dossier->omitted);
}

void ser_dossier_keep_only(ser_dossier *dossier, const char *id)
{
    size_t kept = 0;
    for (size_t i = 0; i < dossier->entries.count; i++) {
        if (strcmp(dossier->entries.items[i].id, id) == 0)
            dossier->entries.items[kept++] = dossier->entries.items[i];
        else
            ser_entry_fini(&dossier->entries.items[i]);
    }
    dossier->entries.count = kept;
}

ser_status ser_dossier_add(ser_dossier *dossier, ser_json_tree *tree, ser_error *error)
{
    enum { LONGEST = 4096 }; /* paths are no longer; a text that is, is cut */
    ser_json_tree_shorten(tree, LONGEST, "program");
    const ser_json_node *root = ser_json_root(tree);
    const char *verdict = ser_json_text_in(root, "verdict");
    const ser_json_node *violations = ser_json_member(root, "violations");
    ser_vector_push(&dossier->trees, tree);
    if (!verdict || !violations || !ser_json_member(root, "program"))
        return ser_fail(error, SER_INPUT, "not a result of seriatim run or explore");
    const char *program =
        make_program(dossier, ser_json_member(ser_json_member(root, "program"), "argv"));
    const char *atomic = ser_json_text_in(root, "atomic");
    ser_vector_push(&dossier->verdicts, verdict);
    dossier->suppressed += ser_json_number_in(root, "suppressed");
    add_runs(dossier, root, program);
    const ser_json_node *item = ser_json_first(violations);
    for (; item; item = item->next)
        if (has_room(dossier))
            add_violation(dossier, item, program, atomic);
    item = ser_json_first(ser_json_member(root, "failures"));
    for (; item; item = item->next)
        if (has_room(dossier))
            add_failure(dossier, item, program, atomic);
    return SER_OK;
}

const char *ser_dossier_verdict(const ser_dossier *dossier)
{
    bool undecided = false;
    if (dossier->entries.count)
        return "violation";
    for (size_t i = 0; i < dossier->verdicts.count; i++)
        undecided |= strcmp(dossier->verdicts.items[i], "undecided") == 0;
    return undecided ? "undecided" : "none";
}

bool ser_entry_was_seen(const ser_entry *entry)
{
    return strcmp(entry->status, "observed") == 0 || strcmp(entry->status, "confirmed") == 0;
}

void ser_entry_fini(ser_entry *entry)
{
    ser_vector_free(&entry->variables);
    ser_vector_free(&entry->waits);
    ser_vector_free(&entry->accesses);
    ser_vector_free(&entry->others);
    ser_vector_free(&entry->results);
    ser_picture_fini(&entry->picture);
}

void ser_dossier_fini(ser_dossier *dossier)
{
    for (size_t i = 0; i < dossier->entries.count; i++)
        ser_entry_fini(&dossier->entries.items[i]);
    for (size_t i = 0; i < dossier->trees.count; i++)
        ser_json_tree_destroy(dossier->trees.items[i]);
    for (size_t i = 0; i < dossier->texts.count; i++)
        free(dossier->texts.items[i]);
    for (size_t i = 0; i < dossier->names.count; i++)
        ser_plain_names_destroy(dossier->names.items[i].names);
    ser_vector_free(&dossier->entries);
    ser_vector_free(&dossier->runs);
    ser_vector_free(&dossier->verdicts);
    ser_vector_free(&dossier->trees);
    ser_vector_free(&dossier->texts);
    ser_vector_free(&dossier->names);
}
