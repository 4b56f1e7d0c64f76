/* SPDX-License-Identifier: MIT */
/*
 * One walk over the trace (ser_value_code_create): each thread has the last read of each key, and
 * the last event where something may be missing.
 */
#include "predict/values/value_code.h"

#include <string.h>

#include "base/pairmap.h"
#include "predict/model/data_limits.h"

/* What a text is. */
typedef struct text_form {
    uint64_t own_key; /* 1 + the key that it begins with; 0: it has none */
    bool names;       /* it has keys */
    bool is_empty;    /* it says nothing of the code */
    bool is_good;     /* it is understood */
} text_form;

typedef struct walk {
    ser_value_code *code;
    ser_pairmap latest;          /* thread and key -> the last read */
    SER_VECTOR(uint32_t) doubt;  /* by thread: see above; 0: nothing is missing */
    SER_VECTOR(text_form) forms; /* by text */
    ser_event_list found;        /* reads that an expression names */
} walk;

static const ser_event *event_at(const ser_value_code *code, uint32_t event)
{
    return &code->run->events[event];
}

/* "@17" or "@17;v,0,sgt32": where the guards begin. */
static const char *skip_own_key(const char *text, uint64_t *own_key)
{
    char *end;
    if (*text != '@')
        return text;
    uint64_t key = strtoull(text + 1, &end, 10);
    if (end == text + 1 || (*end != ';' && *end != '\0'))
        return text;
    *own_key = key + 1;
    return end + (*end == ';');
}

static void parse_text(walk *at, uint32_t number)
{
    text_form *form = &at->forms.items[number];
    const char *text = ser_guards_skip_preface(ser_symbols_guards(at->code->run->symbols, number));
    const char *guards = skip_own_key(text, &form->own_key);
    form->is_empty = *text == '\0';
    form->names = strpbrk(text, "@$") != NULL;
    form->is_good = true;
    const char *behind = ser_loop_values_parse(&at->code->rounds, number, guards);
    form->is_good = behind != NULL;
    guards = behind ? behind : "";
    if (*guards == '=') {
        size_t length = strcspn(++guards, ";");
        form->is_good &= ser_guards_parse_code(&at->code->updates.items[number], guards, length);
        guards += length + (guards[length] == ';');
    }
    if (*guards)
        form->is_good &=
            ser_guards_parse_code(&at->code->texts.items[number], guards, strlen(guards));
    (void)ser_guards_parse_code(&at->code->written.items[number], text, strlen(text));
    at->code->is_partial |= form->names && !form->is_good;
}

static void parse_texts(walk *at)
{
    const ser_symbols *symbols = at->code->run->symbols;
    uint32_t count = symbols ? ser_symbols_guards_count(symbols) : 0;
    ser_vector_extend(&at->code->texts, (size_t)count + 1);
    ser_vector_extend(&at->code->written, (size_t)count + 1);
    ser_vector_extend(&at->code->updates, (size_t)count + 1);
    ser_vector_extend(&at->forms, (size_t)count + 1);
    for (uint32_t i = 1; i <= count; i++)
        parse_text(at, i);
}

static const ser_guards *find_code(const ser_value_code *code, uint32_t event,
                                   const ser_guards *of_texts)
{
    uint32_t text = ser_event_guards(event_at(code, event));
    const ser_guards *guards = text ? &of_texts[text] : NULL;
    return guards && guards->count ? guards : NULL;
}

const ser_guards *ser_value_code_of(const ser_value_code *code, uint32_t event)
{
    const ser_loop_values *rounds = &code->rounds;
    if (rounds->expanded_of && rounds->expanded_of[event]) {
        const ser_guards *own = &rounds->expanded.items[rounds->expanded_of[event] - 1];
        return own->count ? own : NULL;
    }
    bool writes = ser_op_only_writes((ser_op)event_at(code, event)->op);
    return find_code(code, event, writes ? code->written.items : code->texts.items);
}

const ser_guards *ser_value_code_update(const ser_value_code *code, uint32_t event)
{
    return find_code(code, event, code->updates.items);
}

/* A read-modify-write of which it is not known what it has read. */
static bool is_opaque(const ser_value_code *code, uint32_t read)
{
    return ser_op_updates((ser_op)event_at(code, read)->op) &&
           code->kind[read] != SER_VALUE_UPDATES;
}

/* Finds the reads that the keys stand for; false if one of them may be another. */
static bool find_reads(walk *at, uint32_t event, const ser_guards *guards, bool may_lack)
{
    ser_value_code *code = at->code;
    uint32_t thread = event_at(code, event)->thread, doubt = at->doubt.items[thread];
    at->found.count = 0;
    for (size_t i = 0; guards && i < guards->keys.count; i++) {
        uint32_t read = ser_pairmap_get(&at->latest, guards->keys.items[i], thread, 0);
        if (read ? read < doubt || is_opaque(code, read) : !may_lack || doubt)
            return false;
        ser_vector_push(&at->found, read);
    }
    return true;
}

/* The last round of each register was seen, and there are not too many of them. */
static bool knows_rounds(walk *at, uint32_t event, const ser_guards *guards)
{
    ser_value_code *code = at->code;
    uint32_t thread = event_at(code, event)->thread;
    for (size_t i = 0; i < guards->registers.count; i++) {
        uint32_t last = ser_loop_values_latest(&code->rounds, thread, guards->registers.items[i]);
        if (!last || code->rounds.rounds.items[last - 1].event < at->doubt.items[thread])
            return false;
    }
    bool fits = ser_loop_values_count(&code->rounds, thread, guards) <= SER_MOST_KEYS;
    code->is_partial |= !fits;
    return fits;
}

/* The same as references of the event, whose expressions over registers are taken apart. */
static bool find_refs(walk *at, uint32_t event, const ser_guards *guards, bool may_lack)
{
    ser_value_code *code = at->code;
    ser_event_list all = {0};
    if (!find_reads(at, event, guards, may_lack))
        return false;
    bool is_over = !code->rounds.goes_on || !code->rounds.goes_on[event];
    bool has_rounds = guards && (guards->registers.count > 0 || (guards->late && !is_over));
    if (has_rounds && !knows_rounds(at, event, guards))
        return false;
    if (has_rounds)
        ser_loop_values_expand(&code->rounds, event_at(code, event), event, guards, at->found.items,
                               &all);
    const ser_event_list *list = has_rounds ? &all : &at->found;
    for (size_t i = 0; i < list->count; i++)
        ser_vector_push(&code->refs, ((ser_value_ref){list->items[i]}));
    ser_vector_free(&all);
    return true;
}

/* What the read makes of registers. */
static bool note_rounds(walk *at, uint32_t event)
{
    ser_value_code *code = at->code;
    uint32_t text = ser_event_guards(event_at(code, event)), thread = event_at(code, event)->thread;
    unsigned count = text < code->rounds.texts.count ? code->rounds.texts.items[text].count : 0;
    for (unsigned i = 0; i < count; i++) {
        const ser_loop_text *of = &code->rounds.texts.items[text];
        if (!find_reads(at, event, &of->code[i], false) || !knows_rounds(at, event, &of->code[i]))
            return false;
        uint32_t before = of->code[i].registers.count
                              ? ser_loop_values_latest(&code->rounds, thread, of->registers[i])
                              : 0;
        const ser_loop_step round = {
            .code = &of->code[i],
            .event = event,
            .before = before,
            .first_ref = (uint32_t)code->rounds.refs.count,
            .reads = (uint32_t)ser_loop_values_count(&code->rounds, thread, &of->code[i])};
        for (size_t j = 0; j < at->found.count; j++)
            ser_vector_push(&code->rounds.refs, at->found.items[j]);
        ser_loop_values_add(&code->rounds, &round, thread, of->registers[i]);
    }
    return true;
}

/* Does the expression give what was written? Its references begin there. */
static bool explains(const ser_value_code *code, uint32_t event, const ser_guards *written,
                     uint32_t first_ref)
{
    uint64_t reads[SER_MOST_KEYS], results[SER_MOST_GUARDS];
    bool skips[SER_MOST_GUARDS];
    if (!written || written->count != 1 || !ser_has_value(event_at(code, event)))
        return false;
    for (size_t i = 0; i < written->keys.count; i++)
        reads[i] = code->read[code->refs.items[first_ref + i].event];
    const ser_guard_inputs inputs = {.value = code->read[event], .reads = reads};
    return ser_guards_compute(written, &inputs, results, skips) &&
           results[0] == event_at(code, event)->value;
}

static ser_value_code_kind examine_write(walk *at, uint32_t event)
{
    const ser_guards *written = ser_value_code_of(at->code, event);
    bool good =
        find_refs(at, event, written, false) &&
        explains(at->code, event, ser_value_code_of(at->code, event), at->code->first_ref[event]);
    return good ? SER_VALUE_WRITES : SER_VALUE_BARRIER;
}

/* Do the expressions of an update name another read than itself? */
static bool names_others(const walk *at, uint32_t event, const text_form *form)
{
    const ser_guards *guards = ser_value_code_of(at->code, event);
    const ser_guards *written = ser_value_code_update(at->code, event);
    for (size_t i = 0; guards && i < guards->keys.count; i++)
        if (guards->keys.items[i] + 1 != form->own_key)
            return true;
    return written && written->keys.count > 0;
}

/* If it is not known what it has read, it is as one without text, unless others matter to it. */
static ser_value_code_kind examine_update(walk *at, uint32_t event, const text_form *form)
{
    ser_value_code *code = at->code;
    const ser_guards *written = ser_value_code_update(code, event);
    bool is_known = code->knows_old[event];
    if (form->own_key)
        *ser_pairmap_add(&at->latest, form->own_key - 1, event_at(code, event)->thread, 0) = event;
    code->kind[event] = SER_VALUE_UPDATES;
    bool good = form->is_good && find_refs(at, event, ser_value_code_of(code, event), true);
    uint32_t first_ref = (uint32_t)code->refs.count;
    good = good && find_refs(at, event, written, false);
    if (good && is_known && explains(code, event, written, first_ref))
        return SER_VALUE_UPDATES;
    return good && !names_others(at, event, form) ? SER_VALUE_PLAIN : SER_VALUE_BARRIER;
}

/* A text without keys needs no more to be understood; that of a write is "?", or wrong. */
static ser_value_code_kind examine(walk *at, uint32_t number)
{
    const ser_event *event = event_at(at->code, number);
    bool may_have = ser_op_is_access((ser_op)event->op) && !ser_op_frees((ser_op)event->op);
    uint32_t text = may_have ? ser_event_guards(event) : 0;
    const text_form *form = &at->forms.items[text];
    at->code->read[number] = event->value;
    at->code->knows_old[number] =
        ser_op_updates((ser_op)event->op) &&
        ser_find_old_value(&at->code->facts, at->code->run, number, &at->code->read[number]);
    if (!text || form->is_empty)
        return SER_VALUE_PLAIN;
    if (ser_op_updates((ser_op)event->op))
        return examine_update(at, number, form);
    if (ser_op_writes((ser_op)event->op))
        return form->names && form->is_good ? examine_write(at, number) : SER_VALUE_BARRIER;
    if (!form->names)
        return strcmp(ser_symbols_guards(at->code->run->symbols, text), "?") == 0
                   ? SER_VALUE_BARRIER
                   : SER_VALUE_PLAIN;
    if (form->own_key)
        *ser_pairmap_add(&at->latest, form->own_key - 1, event->thread, 0) = number;
    bool good = form->is_good && ser_has_value(event) && note_rounds(at, number) &&
                find_refs(at, number, ser_value_code_of(at->code, number), true);
    return good ? SER_VALUE_READS : SER_VALUE_BARRIER;
}

static void visit(walk *at, uint32_t number)
{
    ser_value_code *code = at->code;
    const ser_event *event = event_at(code, number);
    uint32_t *doubt = ser_vector_slot(&at->doubt, event->thread);
    code->first_ref[number] = (uint32_t)code->refs.count;
    if (ser_event_elided(event) > 0)
        *doubt = number;
    code->kind[number] = (uint8_t)examine(at, number);
    if (code->kind[number] == SER_VALUE_BARRIER)
        *doubt = number;
}

static bool is_exchange(const ser_value_code *code, uint32_t number)
{
    return is_opaque(code, number) && !(event_at(code, number)->flow & SER_FLOW_MODIFIES);
}

static bool is_mixed(const ser_value_code *code)
{
    enum { COMPUTED = 1, EXCHANGED = 2, BOTH = 3 };
    uint8_t *marks = ser_alloc(code->facts.variables.count + 1, sizeof *marks);
    bool found = false;
    for (uint32_t i = 1; i <= code->run->count && !found; i++) {
        if (!ser_op_is_access((ser_op)event_at(code, i)->op))
            continue;
        uint8_t *of = &marks[event_at(code, i)->object];
        *of |=
            code->kind[i] == SER_VALUE_WRITES || code->kind[i] == SER_VALUE_UPDATES ? COMPUTED : 0;
        *of |= is_exchange(code, i) ? EXCHANGED : 0;
        found = *of == BOTH;
    }
    free(marks);
    return found;
}

ser_value_code *ser_value_code_create(const ser_run *run)
{
    ser_value_code *code = ser_alloc(1, sizeof *code);
    size_t events = (size_t)run->count + 1;
    walk at = {.code = code};
    code->run = run;
    code->kind = ser_alloc(events, sizeof *code->kind);
    code->first_ref = ser_alloc(events, sizeof *code->first_ref);
    code->limit = ser_alloc(events, sizeof *code->limit);
    code->read = ser_alloc(events, sizeof *code->read);
    code->knows_old = ser_alloc(events, sizeof *code->knows_old);
    ser_value_facts_init(&code->facts, run, run->symbols != NULL);
    ser_data_limits_list(code->limit, run, code->facts.torn);
    parse_texts(&at);
    ser_loop_values_look_ahead(&code->rounds, run);
    for (uint32_t i = 1; i <= run->count; i++)
        visit(&at, i);
    code->is_mixed = is_mixed(code);
    ser_pairmap_fini(&at.latest);
    ser_vector_free(&at.doubt);
    ser_vector_free(&at.forms);
    ser_vector_free(&at.found);
    return code;
}

void ser_value_code_destroy(ser_value_code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->texts.count; i++) {
        ser_guards_fini(&code->texts.items[i]);
        ser_guards_fini(&code->written.items[i]);
        ser_guards_fini(&code->updates.items[i]);
    }
    ser_vector_free(&code->texts);
    ser_vector_free(&code->written);
    ser_vector_free(&code->updates);
    ser_vector_free(&code->refs);
    ser_loop_values_fini(&code->rounds);
    ser_value_facts_fini(&code->facts);
    free(code->kind);
    free(code->first_ref);
    free(code->limit);
    free(code->read);
    free(code->knows_old);
    free(code);
}
