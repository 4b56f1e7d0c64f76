/* SPDX-License-Identifier: MIT */
#include "witness/checker/code.h"

#include <string.h>

#include "witness/checker/guards.h"

/* A thread on the way through the trace. */
typedef struct ser_code_thread {
    SER_VECTOR(ser_code_ref) latest; /* of each key */
    uint32_t doubt;                  /* the last event where something may be missing; 0: none */
} ser_code_thread;

static const ser_event *event_of(const ser_checker_code *code, uint32_t number)
{
    return &code->observed->events[number];
}

static bool elides_before(const ser_event *event)
{
    return (event->op == SER_OP_SKIP || event->op == SER_OP_CALL || event->op == SER_OP_RETURN) &&
           event->flags & SER_EVENT_HAS_VALUE && event->value > 0;
}

/* "" if it has none. */
static const char *text_of(const ser_checker_code *code, const ser_event *event)
{
    bool may_have =
        event->op == SER_OP_READ || event->op == SER_OP_WRITE || event->op == SER_OP_RMW;
    const char *text = may_have && ser_event_guards(event)
                           ? ser_symbols_guards(code->symbols, ser_event_guards(event))
                           : "";
    return ser_checker_behind_releases(text);
}

static uint64_t key_at(const char *text)
{
    return strtoull(text + 1, NULL, 10);
}

/* A text that begins with a key alone. */
static bool has_own_key(const char *text)
{
    return *text == '@' && text[1 + strspn(text + 1, "0123456789")] != ',';
}

/* What is behind the key. */
static const char *behind_key(const char *text)
{
    const char *end = text + strcspn(text, ";");
    if (!has_own_key(text))
        return text;
    return *end ? end + 1 : end;
}

/* The guards, behind the key and what an update writes. */
static const char *guards_in(const char *text)
{
    const char *at = behind_key(text), *end = at + strcspn(at, ";");
    if (*at != '=')
        return at;
    return *end ? end + 1 : end;
}

uint64_t ser_checker_code_read(const ser_checker_code *code, uint32_t event)
{
    uint64_t value = event_of(code, event)->value;
    if (event_of(code, event)->op == SER_OP_RMW)
        (void)ser_checker_values_find(code->values, event_of(code, event)->object,
                                      code->observed->source[event], &value);
    return value;
}

static ser_code_ref *find_latest(ser_code_thread *thread, uint64_t key)
{
    for (size_t i = 0; i < thread->latest.count; i++)
        if (thread->latest.items[i].key == key)
            return &thread->latest.items[i];
    return NULL;
}

static void note_key(ser_code_thread *thread, uint64_t key, uint32_t event)
{
    ser_code_ref *known = find_latest(thread, key);
    if (known)
        known->event = event;
    else
        ser_vector_push(&thread->latest, ((ser_code_ref){key, event}));
}

/* A read-modify-write of which it is not known what it has read. */
static bool is_opaque(const ser_checker_code *code, uint32_t read)
{
    return event_of(code, read)->op == SER_OP_RMW && code->kind[read] != SER_CODE_UPDATES;
}

/* The reads that the text names; false if one of them may be another one. */
static bool find_refs_until(ser_checker_code *code, ser_code_thread *thread, const char *text,
                            const char *end, bool may_lack)
{
    for (const char *at = strchr(text, '@'); at && at < end; at = strchr(at + 1, '@')) {
        const ser_code_ref *latest = find_latest(thread, key_at(at));
        if (latest ? latest->event < thread->doubt || is_opaque(code, latest->event)
                   : !may_lack || thread->doubt)
            return false;
        if (latest)
            ser_vector_push(&code->refs, *latest);
    }
    return true;
}

static bool find_refs(ser_checker_code *code, ser_code_thread *thread, const char *text,
                      bool may_lack)
{
    return find_refs_until(code, thread, text, text + strlen(text), may_lack);
}

/* Those of what an update writes: "=v,@17,add32". */
static bool find_refs_of_update(ser_checker_code *code, ser_code_thread *thread, const char *text)
{
    const char *written = behind_key(text);
    return find_refs_until(code, thread, written, written + strcspn(written, ";"), false);
}

static ser_code_kind examine_write(ser_checker_code *code, ser_code_thread *thread, uint32_t number,
                                   const char *text)
{
    const ser_code_values recorded = {.code = code, .event = number};
    uint64_t result;
    if (!find_refs(code, thread, text, false))
        return SER_CODE_BARRIER;
    code->kind[number] = SER_CODE_WRITES;
    code->first_ref[number + 1] = (uint32_t)code->refs.count;
    bool explains = event_of(code, number)->flags & SER_EVENT_HAS_VALUE &&
                    ser_checker_code_computes(&recorded, &result) &&
                    result == event_of(code, number)->value;
    return explains ? SER_CODE_WRITES : SER_CODE_BARRIER;
}

/* Is every read that the text of an update names the update itself? */
static bool names_itself_only(const char *text)
{
    size_t length = has_own_key(text) ? strcspn(text, ";") : 0;
    for (const char *at = strchr(text + length, '@'); at; at = strchr(at + 1, '@')) {
        bool is_own = length && strncmp(at, text, length) == 0 && at[length] == ',';
        if (!is_own)
            return false;
    }
    return true;
}

/* Does its source say what it has read, and the text what it wrote? If not, the text says nothing;
 * but then other reads must not matter to it. */
static ser_code_kind examine_update(ser_checker_code *code, ser_code_thread *thread,
                                    uint32_t number, const char *text)
{
    const ser_code_values recorded = {
        .code = code, .event = number, .now = ser_checker_code_read(code, number)};
    const ser_event *event = event_of(code, number);
    uint64_t old, result;
    bool is_known =
        ser_checker_values_find(code->values, event->object, code->observed->source[number], &old);
    if (has_own_key(text))
        note_key(thread, key_at(text), number);
    code->kind[number] = SER_CODE_UPDATES;
    bool good = *behind_key(text) == '=' && find_refs(code, thread, guards_in(text), true) &&
                find_refs_of_update(code, thread, text);
    code->first_ref[number + 1] = (uint32_t)code->refs.count;
    if (good && is_known && event->flags & SER_EVENT_HAS_VALUE &&
        ser_checker_code_computes(&recorded, &result) && result == event->value)
        return SER_CODE_UPDATES;
    return good && names_itself_only(text) ? SER_CODE_NONE : SER_CODE_BARRIER;
}

static ser_code_kind examine(ser_checker_code *code, ser_code_thread *thread, uint32_t number)
{
    const ser_event *event = event_of(code, number);
    const char *text = text_of(code, event);
    if (strcmp(text, "?") == 0)
        return SER_CODE_BARRIER;
    if (event->op == SER_OP_RMW)
        return *text ? examine_update(code, thread, number, text) : SER_CODE_NONE;
    if (!strchr(text, '@'))
        return event->op == SER_OP_WRITE && *text ? SER_CODE_BARRIER : SER_CODE_NONE;
    if (event->op == SER_OP_WRITE)
        return examine_write(code, thread, number, text);
    if (has_own_key(text))
        note_key(thread, key_at(text), number);
    bool good =
        event->flags & SER_EVENT_HAS_VALUE && find_refs(code, thread, guards_in(text), true);
    return good ? SER_CODE_READS : SER_CODE_BARRIER;
}

static void find_threads(ser_checker_code *code)
{
    for (uint32_t number = 1; number <= code->observed->count; number++)
        if (event_of(code, number)->thread >= code->thread_count)
            code->thread_count = event_of(code, number)->thread + (size_t)1;
    code->threads = ser_alloc(code->thread_count + 1, sizeof *code->threads);
}

void ser_checker_code_init(ser_checker_code *code, const ser_observed *observed,
                           const ser_checker_values *values, const ser_symbols *symbols)
{
    size_t events = (size_t)observed->count + 2;
    *code = (ser_checker_code){.observed = observed, .values = values, .symbols = symbols};
    code->kind = ser_alloc(events, sizeof *code->kind);
    code->first_ref = ser_alloc(events, sizeof *code->first_ref);
    find_threads(code);
    for (uint32_t number = 1; number <= observed->count; number++) {
        ser_code_thread *thread = &code->threads[event_of(code, number)->thread];
        code->first_ref[number] = (uint32_t)code->refs.count;
        if (elides_before(event_of(code, number)))
            thread->doubt = number;
        code->kind[number] = (uint8_t)examine(code, thread, number);
        if (code->kind[number] == SER_CODE_BARRIER)
            thread->doubt = number;
        code->first_ref[number + 1] = (uint32_t)code->refs.count;
    }
    for (size_t i = 0; i < code->thread_count; i++)
        ser_vector_free(&code->threads[i].latest);
    free(code->threads);
    code->threads = NULL;
}

void ser_checker_code_fini(ser_checker_code *code)
{
    free(code->kind);
    free(code->first_ref);
    ser_vector_free(&code->refs);
}

/* --- values ------------------------------------------------------------------- */

static bool find_read(const void *context, uint64_t key, uint64_t *value)
{
    const ser_code_values *values = context;
    const ser_checker_code *code = values->code;
    uint32_t end = code->first_ref[values->event + 1];
    for (uint32_t i = code->first_ref[values->event]; i < end; i++) {
        const ser_code_ref *ref = &code->refs.items[i];
        if (ref->key != key)
            continue;
        bool altered = values->altered && values->altered[ref->event];
        *value =
            altered ? values->altered_value[ref->event] : ser_checker_code_read(code, ref->event);
        if (values->altered && ref->event == values->event)
            *value = values->now;
        return true;
    }
    return false;
}

static ser_checker_words words_of(const ser_code_values *values)
{
    return (ser_checker_words){.value = values->now, .find = find_read, .context = values};
}

bool ser_checker_code_keeps(const ser_code_values *values)
{
    const ser_event *event = event_of(values->code, values->event);
    const ser_code_values recorded = {.code = values->code,
                                      .event = values->event,
                                      .now = ser_checker_code_read(values->code, values->event)};
    const ser_checker_words then = words_of(&recorded), now = words_of(values);
    return ser_checker_guards_keep(guards_in(text_of(values->code, event)), &then, &now);
}

bool ser_checker_code_computes(const ser_code_values *values, uint64_t *result)
{
    const ser_checker_words words = words_of(values);
    const char *text = text_of(values->code, event_of(values->code, values->event)),
               *written = behind_key(text);
    if (values->code->kind[values->event] == SER_CODE_UPDATES)
        return *written == '=' && ser_checker_evaluate_first(written + 1, &words, result);
    return ser_checker_evaluate(text, &words, result);
}
