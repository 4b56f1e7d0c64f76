/* SPDX-License-Identifier: MIT */
/*
 * SARIF 2.1.0: an entry is a result, with the place of its block, both sides as related
 * locations, and one thread flow a thread, whose steps are numbered in the order in which they
 * happen. Rule ids and fingerprints stay from version to version.
 */
#include <ctype.h>
#include <inttypes.h>

#include "report/dossier_formats.h"
#include "report/json_file.h"
#include "report/source_line.h"

/* Kind of the entry, name of the rule, what it is, what it means. */
#define RULES(X)                                                                                   \
    X("atomicity", "AtomicityViolation", "A block that is meant to be atomic is not",              \
      "Another thread can come between the steps of the block, in a way that no order gives in "   \
      "which the block runs as one step.")                                                         \
    X("deadlock", "Deadlock", "All threads wait for ever",                                         \
      "Under some schedule the threads of the program wait for one another, and nobody goes on.")  \
    X("signal", "Signal", "A signal ends the program",                                             \
      "Under some schedule a signal ends the program that otherwise ends by itself.")              \
    X("crash", "Crash", "A signal ends the program",                                               \
      "Under some schedule a signal ends the program that otherwise ends by itself.")              \
    X("exception", "UncaughtException", "An exception ends a thread",                              \
      "Under some schedule a thread ends with an exception that nobody catches.")                  \
    X("exit", "ExitStatus", "The program ends with another status",                                \
      "Under some schedule the program ends with another exit status.")                            \
    X("output", "Output", "The program writes something else",                                     \
      "Under some schedule the program's output differs.")                                         \
    X("hang", "Hang", "The program does not end",                                                  \
      "Under some schedule the program does not end in the time that it otherwise takes.")         \
    X("use after free", "UseAfterFree", "Memory is used after it was freed",                       \
      "Under some schedule memory is used after another thread has freed it.")                     \
    X("double free", "DoubleFree", "Memory is freed twice",                                        \
      "Under some schedule memory is freed twice.")                                                \
    X("other", "Failure", "The program fails", "Under some schedule the program fails.")

typedef struct rule {
    const char *kind, *name, *summary, *meaning;
} rule;

static const rule rules[] = {
#define SER_X(kind, name, summary, meaning) {kind, name, summary, meaning},
    RULES(SER_X)
#undef SER_X
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static size_t rule_of(const ser_entry *entry)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (strcmp(rules[i].kind, entry->kind) == 0)
            return i;
    return RULE_COUNT - 1;
}

static void write_message(ser_json *json, const char *key, const char *text)
{
    ser_json_key(json, key);
    ser_json_open_object(json);
    ser_json_text_at(json, "text", text);
    ser_json_close_object(json);
}

/* "seriatim/use-after-free" */
static void write_rule_id(ser_json *json, const char *key, const rule *here)
{
    char id[64];
    snprintf(id, sizeof id, "seriatim/%s", here->kind);
    for (char *at = id; (at = strchr(at, ' '));)
        *at = '-';
    ser_json_text_at(json, key, id);
}

static void write_driver(ser_json *json)
{
    ser_json_key(json, "tool");
    ser_json_open_object(json);
    ser_json_key(json, "driver");
    ser_json_open_object(json);
    ser_json_text_at(json, "name", "seriatim");
    ser_json_text_at(json, "version", SER_VERSION);
    ser_json_key(json, "rules");
    ser_json_open_array(json);
    for (size_t i = 0; i < RULE_COUNT; i++) {
        ser_json_open_object(json);
        write_rule_id(json, "id", &rules[i]);
        ser_json_text_at(json, "name", rules[i].name);
        write_message(json, "shortDescription", rules[i].summary);
        write_message(json, "fullDescription", rules[i].meaning);
        ser_json_close_object(json);
    }
    ser_json_close_array(json);
    ser_json_close_object(json);
    ser_json_close_object(json);
}

/* A path as a URI: what has a meaning there is encoded. To be freed. */
static char *make_uri(const char *path, size_t length)
{
    static const char harmless[] = "-._~/";
    const char *scheme = *path == '/' ? "file://" : "";
    char *uri = ser_alloc(strlen(scheme) + 3 * length + 1, 1), *at = uri;
    at += snprintf(at, sizeof "file://", "%s", scheme);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)path[i];
        bool plain = byte < 0x80 && (isalnum(byte) || strchr(harmless, byte));
        at += snprintf(at, 4, plain ? "%c" : "%%%02X", byte);
    }
    return uri;
}

/* The fields of a location; nothing where the place is not known. */
static void write_place(ser_json *json, const char *location, const char *function)
{
    uint32_t line = 0, column = 0;
    int length = ser_split_place(location, &line, &column);
    if (length && line) {
        char *uri = make_uri(location, (size_t)length);
        ser_json_key(json, "physicalLocation");
        ser_json_open_object(json);
        ser_json_key(json, "artifactLocation");
        ser_json_open_object(json);
        ser_json_text_at(json, "uri", uri);
        ser_json_close_object(json);
        ser_json_key(json, "region");
        ser_json_open_object(json);
        ser_json_number_at(json, "startLine", line);
        if (column)
            ser_json_number_at(json, "startColumn", column);
        ser_json_close_object(json);
        ser_json_close_object(json);
        free(uri);
    }
    if (*function) {
        ser_json_key(json, "logicalLocations");
        ser_json_open_array(json);
        ser_json_open_object(json);
        ser_json_text_at(json, "fullyQualifiedName", function);
        ser_json_text_at(json, "kind", "function");
        ser_json_close_object(json);
        ser_json_close_array(json);
    }
}

static void write_access(ser_json *json, const ser_entry_access *access)
{
    char text[1024];
    snprintf(text, sizeof text, "%s %s %s%s%s%s", access->thread, access->operation,
             access->variable, *access->value ? " = " : "", access->value,
             access->in_block ? ", in the block" : "");
    write_place(json, access->location, access->function);
    write_message(json, "message", text);
}

static void write_related(ser_json *json, const ser_entry *entry)
{
    ser_json_key(json, "relatedLocations");
    ser_json_open_array(json);
    for (size_t i = 0; i < entry->accesses.count; i++) {
        ser_json_open_object(json);
        ser_json_number_at(json, "id", i);
        write_access(json, &entry->accesses.items[i]);
        ser_json_close_object(json);
    }
    ser_json_close_array(json);
}

/* The accesses of one thread, from the first of them on. */
static void write_thread_flow(ser_json *json, const ser_entry *entry, size_t first)
{
    const char *thread = entry->accesses.items[first].thread;
    ser_json_open_object(json);
    ser_json_text_at(json, "id", thread);
    ser_json_key(json, "locations");
    ser_json_open_array(json);
    for (size_t i = first; i < entry->accesses.count; i++) {
        const ser_entry_access *access = &entry->accesses.items[i];
        if (strcmp(access->thread, thread) != 0)
            continue;
        ser_json_open_object(json);
        ser_json_key(json, "location");
        ser_json_open_object(json);
        write_access(json, access);
        ser_json_close_object(json);
        ser_json_number_at(json, "executionOrder", i + 1);
        ser_json_text_at(json, "importance", "essential");
        ser_json_close_object(json);
    }
    ser_json_close_array(json);
    ser_json_close_object(json);
}

static bool is_first_of_thread(const ser_entry *entry, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(entry->accesses.items[i].thread, entry->accesses.items[index].thread) == 0)
            return false;
    return true;
}

static void write_flow(ser_json *json, const ser_entry *entry)
{
    ser_json_key(json, "codeFlows");
    ser_json_open_array(json);
    ser_json_open_object(json);
    ser_json_key(json, "threadFlows");
    ser_json_open_array(json);
    for (size_t i = 0; i < entry->accesses.count; i++)
        if (is_first_of_thread(entry, i))
            write_thread_flow(json, entry, i);
    ser_json_close_array(json);
    ser_json_close_object(json);
    ser_json_close_array(json);
}

static void write_stack(ser_json *json, const ser_picture *picture, uint32_t number)
{
    const ser_symbols *symbols = picture->run->symbols;
    const ser_event *event = &picture->run->events[number];
    ser_event_list stack = ser_stack_of(picture->run, number);
    char *what = NULL; /* no two stacks are alike: the schema wants that */
    if (asprintf(&what, "%s, event %" PRIu32 ": %s %s",
                 ser_symbols_name(symbols, SER_SPACE_THREAD, event->thread), number,
                 ser_op_verb((ser_op)event->op),
                 ser_plain_name(picture->names, ser_op_space((ser_op)event->op), event->object)) <
        0)
        ser_out_of_memory(0);
    ser_json_open_object(json);
    write_message(json, "message", what);
    free(what);
    ser_json_key(json, "frames");
    ser_json_open_array(json);
    for (size_t i = stack.count; i-- > 0;) {
        const ser_event *call = &picture->run->events[stack.items[i]];
        const ser_event *place = i + 1 == stack.count ? event : call;
        ser_json_open_object(json);
        ser_json_key(json, "location");
        ser_json_open_object(json);
        write_place(json, ser_short_location(ser_symbols_location(symbols, place->site)),
                    ser_symbols_name(symbols, SER_SPACE_FUNCTION, call->object));
        ser_json_close_object(json);
        ser_json_close_object(json);
    }
    ser_json_close_array(json);
    ser_json_close_object(json);
    ser_vector_free(&stack);
}

/* Of each access that shows it, where calls were recorded. */
static void write_stacks(ser_json *json, const ser_picture *picture)
{
    ser_json_key(json, "stacks");
    ser_json_open_array(json);
    for (size_t i = 0; i < picture->steps.count; i++)
        if (picture->steps.items[i].flags & SER_STEP_ON_PATH)
            write_stack(json, picture, picture->steps.items[i].event);
    ser_json_close_array(json);
}

static void write_properties(ser_json *json, const ser_entry *entry)
{
    ser_json_key(json, "properties");
    ser_json_open_object(json);
    ser_json_text_at(json, "status", entry->status);
    if (entry->model && *entry->model)
        ser_json_text_at(json, "model", entry->model);
    if (entry->consequence)
        ser_json_text_at(json, "consequence", entry->consequence);
    if (entry->replay)
        ser_json_text_at(json, "replay", entry->replay);
    if (*entry->program)
        ser_json_text_at(json, "program", entry->program);
    ser_json_key(json, "variables");
    ser_json_open_array(json);
    for (size_t i = 0; i < entry->variables.count; i++)
        ser_json_text(json, entry->variables.items[i]);
    ser_json_close_array(json);
    ser_json_key(json, "others"); /* ids of places with the same cause */
    ser_json_open_array(json);
    for (size_t i = 0; i < entry->others.count; i++)
        ser_json_text(json, entry->others.items[i].id);
    ser_json_close_array(json);
    ser_json_close_object(json);
}

static void write_result_message(ser_json *json, const ser_entry *entry)
{
    char *text = NULL;
    if (asprintf(&text, "%s. %s%s%s", entry->title, entry->lead, *entry->lead ? " " : "",
                 entry->certainty) < 0)
        ser_out_of_memory(0);
    write_message(json, "message", text);
    free(text);
}

static void write_result(ser_json *json, const ser_entry *entry)
{
    size_t index = rule_of(entry);
    ser_json_open_object(json);
    write_rule_id(json, "ruleId", &rules[index]);
    ser_json_number_at(json, "ruleIndex", index);
    ser_json_text_at(json, "level", ser_entry_was_seen(entry) ? "error" : "warning");
    write_result_message(json, entry);
    ser_json_key(json, "locations");
    ser_json_open_array(json);
    if (*entry->location) {
        ser_json_open_object(json);
        write_place(json, entry->location, entry->function);
        ser_json_close_object(json);
    }
    ser_json_close_array(json);
    ser_json_key(json, "partialFingerprints");
    ser_json_open_object(json);
    ser_json_text_at(json, "seriatim/v1", entry->id);
    ser_json_close_object(json);
    if (entry->accesses.count) {
        write_related(json, entry);
        write_flow(json, entry);
    }
    if (entry->picture.run && entry->picture.path.count)
        write_stacks(json, &entry->picture);
    write_properties(json, entry);
    ser_json_close_object(json);
}

void ser_dossier_write_sarif(const ser_dossier *dossier, const ser_dossier_style *style, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    (void)style;
    ser_json_open_object(&json);
    ser_json_text_at(&json, "$schema",
                     "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                     "sarif-schema-2.1.0.json");
    ser_json_text_at(&json, "version", "2.1.0");
    ser_json_key(&json, "runs");
    ser_json_open_array(&json);
    ser_json_open_object(&json);
    write_driver(&json);
    ser_json_text_at(&json, "columnKind", "utf16CodeUnits");
    ser_json_key(&json, "results");
    ser_json_open_array(&json);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++)
        write_result(&json, &dossier->entries.items[i]);
    ser_json_close_array(&json);
    ser_json_close_object(&json);
    ser_json_close_array(&json);
    ser_json_close_object(&json);
    ser_json_end(&json);
}
