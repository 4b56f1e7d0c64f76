/* SPDX-License-Identifier: MIT */
#include "witness/checker/code.h"

#include <string.h>

#include "witness/checker/guards.h"
#include "witness/checker/texts.h"

/* A thread on the way through the trace. */
typedef struct ser_code_thread {
    SER_VECTOR(ser_code_ref) latest; /* of each key, and of each register */
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

uint64_t ser_checker_code_read(const ser_checker_code *code, uint32_t event)
{
    uint64_t value = event_of(code, event)->value;
    if (event_of(code, event)->op == SER_OP_RMW)
        (void)ser_checker_values_find(code->values, event_of(code, event)->object,
                                      code->observed->source[event], &value);
    return value;
}

static ser_code_ref *find_latest(ser_code_thread *thread, uint64_t key, bool is_register)
{
    for (size_t i = 0; i < thread->latest.count; i++)
        if (thread->latest.items[i].key == key &&
            thread->latest.items[i].is_register == is_register)
            return &thread->latest.items[i];
    return NULL;
}

static void note_latest(ser_code_thread *thread, uint64_t key, uint32_t event, bool is_register)
{
    ser_code_ref *known = find_latest(thread, key, is_register);
    if (known)
        known->event = event;
    else
        ser_vector_push(&thread->latest, ((ser_code_ref){key, event, is_register}));
}

static void note_key(ser_code_thread *thread, uint64_t key, uint32_t event)
{
    note_latest(thread, key, event, false);
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
        const ser_code_ref *latest = find_latest(thread, key_at(at), false);
        if (latest ? latest->event < thread->doubt || is_opaque(code, latest->event)
                   : !may_lack || thread->doubt)
            return false;
        if (latest)
            ser_vector_push(&code->refs, *latest);
    }
    return true;
}

/* The same of registers; those that are set by `own`, if it is not NULL, are no references. */
static bool find_registers(ser_checker_code *code, const ser_code_thread *thread, const char *text,
                           const char *end, const char *own)
{
    uint64_t number;
    for (const char *at = text; (at = ser_checker_next_register(at, end, &number));) {
        const ser_code_ref *latest = find_latest((ser_code_thread *)thread, number, true);
        if (own && ser_checker_round_of(own, number))
            continue;
        if (!latest || latest->event < thread->doubt)
            return false;
        ser_vector_push(&code->refs, *latest);
    }
    return true;
}

/* What a round makes of registers, which other rounds may have set. */
static bool find_refs_of_rounds(ser_checker_code *code, ser_code_thread *thread, const char *text,
                                uint32_t event)
{
    const char *first = ser_checker_behind_key(text), *end = ser_checker_behind_rounds(first);
    uint64_t number;
    if (!find_refs_until(code, thread, first, end, false) ||
        !find_registers(code, thread, first, end, NULL))
        return false;
    for (const char *at = first; ser_checker_round(at, &number);
         at += strcspn(at, ";"), at += *at == ';')
        note_latest(thread, number, event, true);
    return true;
}

static bool find_refs(ser_checker_code *code, ser_code_thread *thread, const char *text,
                      bool may_lack)
{
    return find_refs_until(code, thread, text, text + strlen(text), may_lack);
}

/* The guards of a read. */
static bool find_refs_of_guards(ser_checker_code *code, ser_code_thread *thread, const char *text)
{
    const char *guards = ser_checker_guards_in(text);
    return find_refs(code, thread, guards, true) &&
           find_registers(code, thread, guards, guards + strlen(guards),
                          ser_checker_behind_key(text));
}

/* Those of what an update writes: "=v,@17,add32". */
static bool find_refs_of_update(ser_checker_code *code, ser_code_thread *thread, const char *text)
{
    const char *written = ser_checker_behind_key(text);
    return find_refs_until(code, thread, written, written + strcspn(written, ";"), false);
}

static ser_code_kind examine_write(ser_checker_code *code, ser_code_thread *thread, uint32_t number,
                                   const char *text)
{
    const ser_code_values recorded = {.code = code, .event = number};
    uint64_t result;
    if (!find_refs(code, thread, text, false) ||
        !find_registers(code, thread, text, text + strlen(text), NULL))
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
    size_t length = ser_checker_has_key(text) ? strcspn(text, ";") : 0;
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
    if (ser_checker_has_key(text))
        note_key(thread, key_at(text), number);
    code->kind[number] = SER_CODE_UPDATES;
    bool good = *ser_checker_behind_key(text) == '=' &&
                find_refs(code, thread, ser_checker_guards_in(text), true) &&
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
    if (!strpbrk(text, "@$"))
        return event->op == SER_OP_WRITE && *text ? SER_CODE_BARRIER : SER_CODE_NONE;
    if (event->op == SER_OP_WRITE)
        return examine_write(code, thread, number, text);
    if (ser_checker_has_key(text))
        note_key(thread, key_at(text), number);
    bool good = event->flags & SER_EVENT_HAS_VALUE &&
                find_refs_of_rounds(code, thread, text, number) &&
                find_refs_of_guards(code, thread, text);
    return good ? SER_CODE_READS : SER_CODE_BARRIER;
}

static void find_threads(ser_checker_code *code)
{
    for (uint32_t number = 1; number <= code->observed->count; number++)
        if (event_of(code, number)->thread >= code->thread_count)
            code->thread_count = event_of(code, number)->thread + (size_t)1;
    code->threads = ser_alloc(code->thread_count + 1, sizeof *code->threads);
}

/* From the last event to the first: does the thread's next read that sets the register go on? */
static void look_ahead(ser_checker_code *code)
{
    for (uint32_t event = code->observed->count; event > 0; event--) {
        ser_code_thread *thread = &code->threads[event_of(code, event)->thread];
        const char *at = event_of(code, event)->op == SER_OP_READ
                             ? ser_checker_behind_key(text_of(code, event_of(code, event)))
                             : "";
        bool all = true;
        uint64_t number, again;
        const char *rounds = at;
        for (const char *round; (round = ser_checker_round(at, &number)); at += *at == ';') {
            at = round + strcspn(round, ";");
            const ser_code_ref *next = find_latest(thread, number, true);
            all &= next && next->event;
            note_latest(thread, number, ser_checker_next_register(round, at, &again) ? 1 : 0, true);
        }
        code->goes_on[event] = all && at != rounds;
    }
    for (size_t i = 0; i < code->thread_count; i++)
        code->threads[i].latest.count = 0;
}

void ser_checker_code_init(ser_checker_code *code, const ser_observed *observed,
                           const ser_checker_values *values, const ser_symbols *symbols)
{
    size_t events = (size_t)observed->count + 2;
    *code = (ser_checker_code){.observed = observed, .values = values, .symbols = symbols};
    code->kind = ser_alloc(events, sizeof *code->kind);
    code->first_ref = ser_alloc(events, sizeof *code->first_ref);
    code->goes_on = ser_alloc(events, sizeof *code->goes_on);
    find_threads(code);
    look_ahead(code);
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
    free(code->goes_on);
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
        if (ref->key != key || ref->is_register)
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

/* What the read of these values makes of a register. */
static bool find_round(const ser_code_values *values, uint64_t number, uint64_t *value);

/* The read that set the register before the event; 0: none. */
static uint32_t find_setter(const ser_checker_code *code, uint32_t event, uint64_t number)
{
    for (uint32_t i = code->first_ref[event]; i < code->first_ref[event + 1]; i++)
        if (code->refs.items[i].is_register && code->refs.items[i].key == number)
            return code->refs.items[i].event;
    return 0;
}

/* As an expression of the event itself says it: what it has set counts. */
static bool find_register(const void *context, uint64_t number, uint64_t *value)
{
    enum { MOST_ROUNDS = 2000 };
    const ser_code_values *values = context;
    const ser_checker_code *code = values->code;
    const char *text = ser_checker_behind_key(text_of(code, event_of(code, values->event)));
    uint32_t setter = find_setter(code, values->event, number);
    if (values->round == 0 && event_of(code, values->event)->op == SER_OP_READ &&
        ser_checker_round_of(text, number))
        return find_round(values, number, value);
    if (!setter || values->round == MOST_ROUNDS)
        return false;
    ser_code_values before = *values;
    before.event = setter;
    before.now = values->altered && values->altered[setter] ? values->altered_value[setter]
                                                            : ser_checker_code_read(code, setter);
    return find_round(&before, number, value);
}

static bool find_round(const ser_code_values *values, uint64_t number, uint64_t *value)
{
    const char *text =
        ser_checker_behind_key(text_of(values->code, event_of(values->code, values->event)));
    const char *round = ser_checker_round_of(text, number);
    ser_code_values inner = *values;
    inner.round++;
    const ser_checker_words words = {
        .value = inner.now, .find = find_read, .find_register = find_register, .context = &inner};
    return round && ser_checker_evaluate_first(round, &words, value);
}

static ser_checker_words words_of(const ser_code_values *values)
{
    return (ser_checker_words){.value = values->now,
                               .find = find_read,
                               .find_register = find_register,
                               .context = values,
                               .goes_on = values->code->goes_on[values->event]};
}

bool ser_checker_code_is_joint(const ser_checker_code *code, uint32_t event,
                               const ser_code_ref *ref)
{
    (void)code;
    return ref->event != event;
}

bool ser_checker_code_keeps(const ser_code_values *values)
{
    const ser_event *event = event_of(values->code, values->event);
    const ser_code_values recorded = {.code = values->code,
                                      .event = values->event,
                                      .now = ser_checker_code_read(values->code, values->event)};
    const ser_checker_words then = words_of(&recorded), now = words_of(values);
    return ser_checker_guards_keep(ser_checker_guards_in(text_of(values->code, event)), &then,
                                   &now);
}

bool ser_checker_code_computes(const ser_code_values *values, uint64_t *result)
{
    const ser_checker_words words = words_of(values);
    const char *text = text_of(values->code, event_of(values->code, values->event)),
               *written = ser_checker_behind_key(text);
    if (values->code->kind[values->event] == SER_CODE_UPDATES)
        return *written == '=' && ser_checker_evaluate_first(written + 1, &words, result);
    return ser_checker_evaluate(text, &words, result);
}
