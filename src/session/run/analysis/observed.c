/* SPDX-License-Identifier: MIT */
/*
 * Where blocks were interrupted at all it is asked once more, without the locks, whether the data
 * shows it (ser_run_observe): the explanation of a cycle may name the locks only.
 */
#include "session/run/analysis/observed.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/interrupt.h"
#include "report/text/dossier_rows.h"
#include "session/check_passes.h"
#include "session/run/analysis/between.h"
#include "session/run/analysis/woken_finding.h"
#include "session/run/evidence/evidence.h"
#include "session/run/evidence/spares.h"
#include "session/run/judge/library.h"
#include "session/run/judge/meant.h"
#include "session/run/judge/waits/polling.h"
#include "session/run/survey/unlocked.h"

/* The block of a finding, by its index; UINT32_MAX: a step of several accesses, or not known. */
static uint32_t block_of(const ser_observing *work, const ser_finding *finding)
{
    return finding->begin ? work->run->block_of[finding->begin] - 1 : UINT32_MAX;
}

/* NULL if there is none, as of UINT32_MAX. Results are in the order of their blocks. */
static const ser_block_result *result_of(const ser_prediction *prediction, uint32_t block)
{
    size_t low = 0, high = prediction->results.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (prediction->results.items[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < prediction->results.count && prediction->results.items[low].block == block;
    return found ? &prediction->results.items[low] : NULL;
}

/* What a library keeps for itself, such as a count of references, may hide what the program does.
 */
static bool is_predicted(const ser_observing *work, const ser_finding *finding)
{
    const ser_block_result *result = result_of(work->prediction, block_of(work, finding));
    return result && result->verdict == SER_VERDICT_VIOLATION &&
           (ser_block_is_meant(work->run, result->block, work->judging.guessed) ||
            !ser_is_library_matter(work->run, &result->facts));
}

/* Markers mean what they say, if they were asked for. */
static bool is_marked(const ser_observing *work, const ser_finding *finding)
{
    uint32_t block = block_of(work, finding);
    return !work->judging.guessed && block != UINT32_MAX &&
           work->run->blocks.items[block].kind == SER_BLOCK_MARKED;
}

/* Does the cycle leave the block by the start of a thread, or come back by its join? Who starts a
 * thread inside of a critical section or a function, or awaits its end there, lets it in, and does
 * not mean it to wait. */
static bool is_let_in(const ser_observing *work, const ser_finding *finding)
{
    size_t count = finding->steps.count;
    return count > 0 && !is_marked(work, finding) &&
           (finding->steps.items[0].by == SER_EDGE_FORK ||
            finding->steps.items[count - 1].by == SER_EDGE_JOIN);
}

/* A cycle of forks and joins alone changes no data. One that could not be explained may, unless
 * there was no time to explain it: then nothing is known of it. */
static bool concerns_data(const ser_observing *work, const ser_check_passes *passes,
                          const ser_finding *finding)
{
    if (is_let_in(work, finding))
        return false;
    for (size_t i = 0; i < finding->steps.count; i++)
        if (finding->steps.items[i].by == SER_EDGE_VARIABLE)
            return true;
    return finding->steps.count == 0 && !passes->source.stopped && !ser_should_stop();
}

static size_t count_findings(const ser_check_passes *passes)
{
    return passes->explainer ? ser_explainer_finding_count(passes->explainer) : 0;
}

static bool has_unpredicted(const ser_observing *work, const ser_check_passes *passes)
{
    for (size_t i = 0; i < count_findings(passes); i++)
        if (!is_predicted(work, ser_explainer_finding(passes->explainer, i)))
            return true;
    return false;
}

/* As prediction has them: the accesses in the order of the violation, each once. */
static ser_witness_facts facts_of(const ser_finding *finding)
{
    ser_witness_facts facts = {0};
    for (size_t i = 0; i < finding->steps.count; i++) {
        uint32_t from = (uint32_t)finding->steps.items[i].from.number;
        uint32_t to = (uint32_t)finding->steps.items[i].to.number;
        if (i == 0 || facts.path.items[facts.path.count - 1] != from)
            ser_vector_push(&facts.path, from);
        ser_vector_push(&facts.path, to);
    }
    return facts;
}

/* A cycle that could not be explained, or a step of several accesses, has no picture. */
static void illustrate(const ser_observing *work, ser_bug *bug, const ser_witness_facts *facts)
{
    if (bug->block && work->run->block_of[bug->block] && facts->path.count)
        ser_bug_illustrate_observed(bug, work->run, facts->path.items, facts->path.count,
                                    &work->care->names);
}

/* The known bug as this run shows it. */
static ser_bug show_again(const ser_observing *work, const ser_finding *finding)
{
    ser_bugs alone = {.are_named = work->report->bugs.are_named};
    ser_witness_facts facts = facts_of(finding);
    bool is_new;
    ser_bug again = *ser_bugs_add_observed(&alone, work->run, finding, work->index, &is_new);
    illustrate(work, &again, &facts);
    ser_witness_facts_fini(&facts);
    ser_vector_free(&alone.list);
    return again;
}

/* The run shows a known bug better than the one before: it takes its place. */
static void replace(const ser_observing *work, ser_bug *bug, const ser_finding *finding)
{
    ser_bug better = show_again(work, finding);
    ser_care_carry_over(&better, bug);
    ser_bug_fini(bug);
    *bug = better;
}

/* Does the run show a known bug better, or may it prove to? */
static void weigh(const ser_observing *work, ser_bug *bug, const ser_finding *finding, bool fails)
{
    if (fails || ser_is_better_evidence(work->report, bug)) {
        replace(work, bug, finding);
    } else if (ser_wants_spare(work->report, bug)) {
        ser_bug spare = show_again(work, finding);
        ser_spares_add(work->report, &spare);
    }
}

static void gather_finding(const ser_observing *work, const ser_finding *finding, ser_idmap *begins)
{
    bool is_new;
    ser_run_report *report = work->report;
    uint32_t block = block_of(work, finding);
    ser_witness_facts facts = facts_of(finding);
    const char *why = block == UINT32_MAX ? NULL : ser_why_no_bug(&work->judging, block, &facts);
    ser_bug *bug = ser_bugs_add_observed(why ? &report->minor : &report->bugs, work->run, finding,
                                         work->index, &is_new);
    if (why) {
        ser_bug_note_minor(bug, why);
        report->traces.items[work->index].violated |= ser_is_working_loop(work->run, &facts);
    } else {
        if (is_new)
            illustrate(work, bug, &facts);
        if (block != UINT32_MAX)
            ser_care_note(work->care, bug, is_new, block, facts.path.items, facts.path.count);
        bool fails =
            !bug->was_felt && block != UINT32_MAX && ser_fails_within(report, work->run, block);
        if (!is_new && bug->order.count == 0)
            weigh(work, bug, finding, fails);
        bug->was_felt |= fails;
        report->traces.items[work->index].violated = true;
    }
    ser_witness_facts_fini(&facts);
    (void)ser_idmap_add(begins, (uint32_t)finding->begin, 1);
}

/* Bugs, from the run without its locks; their begins are noted. */
static void gather_in_data(const ser_observing *work, const ser_check_passes *passes,
                           ser_idmap *begins)
{
    for (size_t i = 0; i < count_findings(passes); i++) {
        const ser_finding *finding = ser_explainer_finding(passes->explainer, i);
        if (!is_predicted(work, finding) && concerns_data(work, passes, finding))
            gather_finding(work, finding, begins);
    }
}

/* Where somebody has said what is atomic, critical sections of others are no blocks, but belong
 * together all the same. */
static bool gather_between(const ser_observing *work, const ser_finding *finding)
{
    ser_finding in_data;
    ser_idmap ignored = {0};
    if (work->judging.guessed || !ser_find_section_between(work->run, finding, &in_data))
        return false;
    gather_finding(work, &in_data, &ignored);
    ser_vector_free(&in_data.steps);
    ser_idmap_fini(&ignored);
    return true;
}

/* What only the run with its locks shows. */
static void gather_minor(const ser_observing *work, const ser_check_passes *passes,
                         const ser_idmap *in_data)
{
    for (size_t i = 0; i < count_findings(passes); i++) {
        const ser_finding *finding = ser_explainer_finding(passes->explainer, i);
        bool is_new;
        if (is_predicted(work, finding) || ser_idmap_get(in_data, (uint32_t)finding->begin, 0) ||
            gather_between(work, finding))
            continue;
        ser_bug *bug =
            ser_bugs_add_observed(&work->report->minor, work->run, finding, work->index, &is_new);
        work->report->traces.items[work->index].retried++;
        ser_bug_note_minor(bug, "others come between, but not to data that both use");
    }
}

/* Where nobody has said what is atomic: who waits with `if` may be right all the same, which what
 * the program prints must tell. */
static void gather_woken(const ser_observing *work)
{
    ser_woken_list list = {0};
    if (work->judging.guessed)
        ser_find_woken(work->run, &list);
    for (size_t i = 0; i < list.count; i++) {
        bool is_new;
        ser_finding finding;
        if (!ser_make_woken_finding(work->run, &list.items[i], &finding))
            continue;
        ser_witness_facts facts = facts_of(&finding);
        ser_bug *bug =
            ser_bugs_add_observed(&work->report->bugs, work->run, &finding, work->index, &is_new);
        bug->is_careful |= is_new;
        if (is_new)
            illustrate(work, bug, &facts);
        else if (bug->order.count == 0)
            weigh(work, bug, &finding, false);
        work->report->traces.items[work->index].violated = true;
        ser_witness_facts_fini(&facts);
        ser_vector_free(&finding.steps);
    }
    ser_vector_free(&list);
}

/* Feeds the monitor from memory. */
static ser_status monitor(const ser_observing *work, const ser_run *run, ser_check_passes *passes,
                          ser_error *error)
{
    *passes = (ser_check_passes){.engine = &ser_engine_summaries, .found.all = true};
    ser_source_open_run(&passes->source, &work->loaded->source, run);
    ser_status status = ser_check_run(passes, error);
    bool is_cut = passes->partial || passes->source.stopped || ser_should_stop();
    work->report->traces.items[work->index].cut |= status == SER_OK && is_cut;
    return status;
}

static ser_status check_data(const ser_observing *work, ser_idmap *begins, ser_error *error)
{
    ser_check_passes passes;
    ser_run unlocked = *work->run;
    bool *own = ser_library_variables(work->run->symbols);
    unlocked.events = ser_events_without_locks(work->run, own);
    free(own);
    ser_status status = monitor(work, &unlocked, &passes, error);
    if (status == SER_OK)
        gather_in_data(work, &passes, begins);
    ser_check_passes_fini(&passes);
    free(unlocked.events);
    return status;
}

ser_status ser_run_observe(const ser_observing *work, ser_error *error)
{
    ser_check_passes passes;
    ser_idmap begins = {0};
    ser_status status = monitor(work, work->run, &passes, error);
    work->report->traces.items[work->index].entered = count_findings(&passes) > 0;
    if (status == SER_OK && has_unpredicted(work, &passes)) {
        status = check_data(work, &begins, error);
        if (status == SER_OK && !ser_should_stop())
            gather_minor(work, &passes, &begins);
    }
    if (status == SER_OK && !ser_should_stop())
        gather_woken(work);
    ser_idmap_fini(&begins);
    ser_check_passes_fini(&passes);
    return status;
}
