/* SPDX-License-Identifier: MIT */
/*
 * An engine is run twice, to its first report and to the end of the trace
 * (--all); what it reports is collected and then judged.
 */
#include "compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cycle_check.h"
#include "random.h"

/* One run of one engine. */
typedef struct run {
    const ser_engine *engine;
    const definition *definition; /* NULL: cycles are not checked */
    bool all;
    finding_list findings;
    const char *flaw; /* in something it reported; NULL for none */
    size_t flawed;    /* the event */
} run;

void expectation_init(expectation *right, const event_list *events, bool large)
{
    *right = (expectation){.events = events, .large = large};
    if (large)
        facts_init(&right->definition.facts, events->items, events->count);
    else
        definition_init(&right->definition, events->items, events->count);
    reference_all(&right->all, &right->definition.facts);
}

void expectation_fini(expectation *right)
{
    definition_fini(&right->definition);
    ser_vector_free(&right->all);
}

static void note_flaw(run *r, const ser_violation *violation, const char *flaw)
{
    if (flaw && !r->flaw) {
        r->flaw = flaw;
        r->flawed = violation->event;
    }
}

static bool collect(void *context, const ser_violation *violation)
{
    run *r = context;
    finding found = {violation->event, violation->block, violation->thread};
    ser_vector_push(&r->findings, found);
    if (violation->cycle && r->definition)
        note_flaw(r, violation, find_flaw_in_cycle(r->definition, violation));
    if (!violation->cycle && strcmp(r->engine->name, "velodrome") == 0)
        note_flaw(r, violation, "it gives no cycle");
    return r->all;
}

static void run_engine(run *r, const event_list *events, uint64_t seed)
{
    random_source random = {seed};
    uint32_t most = 1u << random_below(&random, 8);
    ser_engine_config config = {collect, r};
    void *state = r->engine->create(&config);
    size_t done = 0;
    bool goes_on = true;
    while (done < events->count && goes_on) {
        size_t batch = random_between(&random, 1, most);
        if (batch > events->count - done)
            batch = events->count - done;
        goes_on = r->engine->feed(state, events->items + done, batch, done + 1);
        done += batch;
    }
    r->engine->destroy(state);
    if (goes_on == (!r->all && r->findings.count > 0) && !r->flaw)
        r->flaw = goes_on ? "feed goes on after the report that ended it" : "feed ends too early";
}

static bool say(difference *found, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends to the text; returns true, for `return say(...)`. */
static bool say(difference *found, const char *format, ...)
{
    size_t used = strlen(found->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->text + used, sizeof found->text - used, format, arguments);
    va_end(arguments);
    return true;
}

static void say_findings(difference *found, const char *title, const finding_list *findings)
{
    say(found, "%s:", title);
    if (findings->count == 0)
        say(found, " nothing");
    for (size_t i = 0; i < findings->count; i++)
        say(found, " event %zu (block %zu of T%u)", findings->items[i].event,
            findings->items[i].block, findings->items[i].thread);
    say(found, "\n");
}

static bool same_findings(const finding_list *a, const finding_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->items[i].event != b->items[i].event || a->items[i].block != b->items[i].block ||
            a->items[i].thread != b->items[i].thread)
            return false;
    return true;
}

static bool is_aerodrome(const ser_engine *engine)
{
    return strcmp(engine->name, "aerodrome") == 0;
}

static bool exact_differs(const run *r, const finding_list *right, difference *found)
{
    if (same_findings(&r->findings, right))
        return false;
    const char *mode = r->all ? " with --all" : "";
    say(found, "%s%s reports other events.\n", r->engine->name, mode);
    say_findings(found, "expected", right);
    say_findings(found, "got", &r->findings);
    return true;
}

static bool first_report_differs(const run *r, const definition *d, difference *found)
{
    finding_list right = {0};
    if (d->first_cycle) {
        finding first = {d->first_cycle, d->block, event_at(&d->facts, d->first_cycle)->thread};
        ser_vector_push(&right, first);
    }
    bool differs = exact_differs(r, &right, found);
    ser_vector_free(&right);
    return differs;
}

static bool aerodrome_differs(const run *r, const definition *d, difference *found)
{
    size_t got = r->findings.count ? r->findings.items[0].event : 0;
    if (got == d->first_forward)
        return false;
    say(found, "aerodrome reports another event.\nexpected: event %zu (0: nothing); ",
        d->first_forward);
    say(found, "first cycle at event %zu, first with at most one open transaction at %zu\n",
        d->first_cycle, d->first_with_one_open);
    say_findings(found, "got", &r->findings);
    return true;
}

/* Whatever it reports must be a block on a cycle, and each only once. */
static bool has_bad_finding(const run *r, const definition *d, difference *found)
{
    const facts *f = &d->facts;
    for (size_t i = 0; i < r->findings.count; i++) {
        finding given = r->findings.items[i];
        for (size_t j = 0; j < i; j++)
            if (r->findings.items[j].block == given.block)
                return say(found, "%s reports block %zu twice\n", r->engine->name, given.block);
        if (given.block == 0 || given.block > given.event || given.event > f->count ||
            f->transaction[given.block] != given.block ||
            event_at(f, given.block)->thread != given.thread)
            return say(found, "%s reports %zu of T%u, which is no block\n", r->engine->name,
                       given.block, given.thread);
        if (!definition_is_on_cycle(d, given.block, given.event))
            return say(found, "%s reports block %zu at event %zu, but it is on no cycle\n",
                       r->engine->name, given.block, given.event);
    }
    return false;
}

/* On long traces only the first cycle is known, from the reference. */
static bool aerodrome_is_early(const run *r, const finding_list *all, difference *found)
{
    if (r->findings.count == 0)
        return false;
    if (all->count > 0 && r->findings.items[0].event >= all->items[0].event)
        return false;
    return say(found, "aerodrome reports event %zu, before the first cycle\n",
               r->findings.items[0].event);
}

static bool run_differs(const run *r, const expectation *right, difference *found)
{
    const definition *d = &right->definition;
    if (r->flaw)
        return say(found, "%s at event %zu: %s\n", r->engine->name, r->flawed, r->flaw);
    if (is_aerodrome(r->engine) && right->large)
        return aerodrome_is_early(r, &right->all, found);
    if (is_aerodrome(r->engine))
        return aerodrome_differs(r, d, found) || has_bad_finding(r, d, found);
    if (r->all)
        return exact_differs(r, &right->all, found);
    return !right->large && first_report_differs(r, d, found);
}

bool engine_differs(const ser_engine *engine, const expectation *right, uint64_t seed,
                    difference *found)
{
    bool differs = false;
    found->text[0] = '\0';
    for (int all = 0; all <= 1 && !differs; all++) {
        run r = {.engine = engine, .all = all};
        r.definition = right->large ? NULL : &right->definition;
        run_engine(&r, right->events, seed + (uint64_t)all);
        differs = run_differs(&r, right, found);
        ser_vector_free(&r.findings);
    }
    return differs;
}
