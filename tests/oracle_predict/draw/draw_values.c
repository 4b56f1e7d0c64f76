/* SPDX-License-Identifier: MIT */
#include "draw_values.h"

#include "operations.h"
#include "random.h"

enum { VARIABLES = 64, VALUES = 3, MOST_WRITES = 64 };

static bool writes(const ser_event *event)
{
    ser_op op = plain_op(event->op);
    return op == SER_OP_WRITE || op == SER_OP_RMW;
}

/* What a free leaves behind is no value: nothing accepts it. */
static bool has_value(const ser_event *event)
{
    return (writes(event) || only_reads(event)) && event->op != SER_OP_FREE &&
           event->flags & SER_EVENT_HAS_VALUE;
}

void draw_values(event_list *raw, uint64_t seed)
{
    random_source random = {seed ^ UINT64_C(0x76616c756573)};
    uint64_t last[VARIABLES] = {0};
    uint32_t torn = random_chance(&random, 25) ? 10 : 0;
    for (size_t i = 0; i < raw->count; i++) {
        ser_event *event = &raw->items[i];
        if (!writes(event) && !only_reads(event))
            continue;
        uint64_t *held = &last[event->object % VARIABLES];
        if (writes(event) || random_chance(&random, torn))
            *held = random_below(&random, VALUES);
        if (event->op != SER_OP_FREE && random_chance(&random, 90)) {
            event->flags |= SER_EVENT_HAS_VALUE;
            event->value = *held;
        }
    }
}

static ser_event draw_skip(random_source *random, uint32_t thread, bool elides)
{
    ser_event skip = {.thread = thread, .object = SER_NO_OBJECT, .site = SER_NO_SITE};
    static const uint16_t flows[] = {SER_FLOW_RAN, SER_FLOW_LEAVES, SER_FLOW_RETURNS,
                                     SER_FLOW_RETURNS};
    skip.op = SER_OP_SKIP;
    if (elides && random_chance(random, 50)) {
        skip.flags = SER_EVENT_HAS_VALUE;
        skip.value = 1 + random_below(random, 3);
    } else {
        skip.flow = flows[random_below(random, sizeof flows / sizeof *flows)];
    }
    return skip;
}

/* --- guards ------------------------------------------------------------------ */

static bool is_odd(uint64_t a, uint64_t b)
{
    return a % 2 == b % 2;
}

static bool is_positive(uint64_t a, uint64_t b)
{
    return (a > 0) == (b > 0);
}

static bool is_zero(uint64_t a, uint64_t b)
{
    return (a == 0) == (b == 0);
}

static bool is_one(uint64_t a, uint64_t b)
{
    return (a == 1) == (b == 1);
}

static bool all_values(uint64_t a, uint64_t b)
{
    return a < VALUES && b < VALUES;
}

/* Guards, and whether two values of a trace are the same to them. */
static const struct {
    const char *text;
    bool (*same)(uint64_t a, uint64_t b);
} GUARDS[] = {
    {"v,0,eq8", is_zero}, /* the first two are those of scripts: GUARD_OF_ZERO, GUARD_OF_ONE */
    {"v,1,eq8", is_one},
    {"v,1,and64", is_odd},
    {"v,0,sgt32", is_positive},
    {"v,3,ult8;7,v,mul8,100,eq8", all_values},
    {"v,2,urem32;v,0,ugt64", NULL}, /* only what is equal */
    {"v,1,unknown32", NULL},        /* of a later version */
};

enum { GUARD_COUNT = sizeof GUARDS / sizeof *GUARDS };

const ser_symbols *guard_symbols(void)
{
    static ser_symbols *symbols;
    for (size_t i = 0; !symbols || ser_symbols_guards_count(symbols) < GUARD_COUNT; i++) {
        symbols = symbols ? symbols : ser_symbols_create();
        ser_symbols_add_guards(symbols, GUARDS[i].text, strlen(GUARDS[i].text));
    }
    return symbols;
}

static bool is_as_good(const ser_event *read, uint64_t value)
{
    uint32_t number = ser_event_guards(read);
    return value == read->value ||
           (number && GUARDS[number - 1].same && GUARDS[number - 1].same(read->value, value));
}

static uint16_t draw_flow(random_source *random, const ser_event *event, uint32_t data,
                          uint32_t guards)
{
    uint16_t flow = 0;
    if (plain_op(event->op) != SER_OP_WRITE && random_chance(random, data))
        flow |= SER_FLOW_DATA;
    if (reads_and_writes(event) && random_chance(random, 60))
        flow |= SER_FLOW_MODIFIES;
    if (only_writes(event) && random_chance(random, 80))
        flow |= SER_FLOW_FIXED;
    if (only_reads(event) && random_chance(random, guards))
        flow = ser_flow_with_guards(flow, 1 + random_below(random, GUARD_COUNT));
    return flow;
}

/* Many traces have no skips, so that threads get far. */
void draw_flows(event_list *raw, uint64_t seed)
{
    random_source random = {seed ^ UINT64_C(0x666c6f7773)};
    uint32_t data = random_chance(&random, 30) ? 100 : 60;
    uint32_t guards = random_chance(&random, 50) ? 0 : 70;
    uint32_t skips = random_chance(&random, 50) ? 0 : 4 + random_below(&random, 12);
    bool elides = random_chance(&random, 30);
    event_list drawn = {0};
    for (size_t i = 0; i < raw->count; i++) {
        ser_event event = raw->items[i];
        bool inside = i > 0 && raw->items[i - 1].flags & SER_EVENT_JOINED;
        if (!inside && random_chance(&random, skips))
            ser_vector_push(&drawn, draw_skip(&random, event.thread, elides));
        if (writes(&event) || only_reads(&event))
            event.flow = draw_flow(&random, &event, data, guards);
        bool counts = event.op == SER_OP_CALL || event.op == SER_OP_RETURN;
        if (counts && elides && random_chance(&random, 50)) {
            event.flags |= SER_EVENT_HAS_VALUE;
            event.value = 1;
        }
        ser_vector_push(&drawn, event);
        bool goes_on = event.flags & SER_EVENT_JOINED;
        if (!goes_on && random_chance(&random, skips))
            ser_vector_push(&drawn, draw_skip(&random, event.thread, elides));
    }
    ser_vector_free(raw);
    *raw = drawn;
}

bool has_drawn_values(const event_list *events)
{
    for (size_t i = 0; i < events->count; i++)
        if (has_value(&events->items[i]))
            return true;
    return false;
}

/* The last write before it; NULL: none. */
static const ser_event *source_of(const event_list *events, size_t read)
{
    for (size_t i = read; i-- > 0;)
        if (writes(&events->items[i]) && events->items[i].object == events->items[read].object)
            return &events->items[i];
    return NULL;
}

static bool is_read_of(const ser_event *event, uint32_t variable)
{
    return only_reads(event) && has_value(event) && event->object == variable;
}

bool is_torn_read(const event_list *events, size_t read)
{
    const ser_event *event = &events->items[read], *source = source_of(events, read);
    if (!is_read_of(event, event->object))
        return false;
    if (source)
        return has_value(source) && source->value != event->value;
    for (size_t i = read; i-- > 0;)
        if (is_read_of(&events->items[i], event->object))
            return events->items[i].value != event->value;
    return false;
}

static bool is_torn(const event_list *events, uint32_t variable)
{
    for (size_t i = 0; i < events->count; i++)
        if (is_read_of(&events->items[i], variable) && is_torn_read(events, i))
            return true;
    return false;
}

static bool find_initial(const event_list *events, uint32_t variable, uint64_t *value)
{
    for (size_t i = 0; i < events->count; i++)
        if (is_read_of(&events->items[i], variable) && !source_of(events, i)) {
            *value = events->items[i].value;
            return true;
        }
    return false;
}

/* What a read-modify-write has read. */
static bool find_old(const event_list *events, size_t update, uint64_t *value)
{
    const ser_event *event = &events->items[update], *source = source_of(events, update);
    if (!reads_and_writes(event) || !has_value(event))
        return false;
    if (!source)
        return find_initial(events, event->object, value);
    *value = source->value;
    return has_value(source);
}

/* Is the value as good as the one that was read? Of a read-modify-write that is `old`. */
static bool accepts(const ser_event *event, uint64_t old, uint64_t value)
{
    return only_reads(event) ? is_as_good(event, value) : value == old;
}

void make_reads_by_value(ser_reads *reads, const event_list *events)
{
    ser_reads_init(reads, (uint32_t)events->count);
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *read = &events->items[i];
        uint32_t accepted[MOST_WRITES + 1];
        uint64_t old = 0, initial;
        size_t count = 0;
        if ((!is_read_of(read, read->object) && !find_old(events, i, &old)) ||
            is_torn(events, read->object))
            continue;
        if (find_initial(events, read->object, &initial) && accepts(read, old, initial))
            accepted[count++] = 0;
        for (size_t k = 0; k < events->count && count <= MOST_WRITES; k++)
            if (writes(&events->items[k]) && has_value(&events->items[k]) &&
                events->items[k].object == read->object &&
                accepts(read, old, events->items[k].value))
                accepted[count++] = (uint32_t)k + 1;
        reads->rules.items[i + 1].accepts = ser_reads_add_set(reads, accepted, count);
    }
    limit_reads_by_flow(reads, events);
}
