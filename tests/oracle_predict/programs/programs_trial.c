/* SPDX-License-Identifier: MIT */
/*
 * The models of prediction on the trace of a script beside what the script can do: avp finds no
 * more than data, that no more than guards, that no more than exact data along the recorded path,
 * and that no more than the script itself. Nor does it find more than candidates do, but for what
 * relies on a compare-exchange that reads a different write (exact.h).
 */
#include <inttypes.h>

#include "draw_values.h"
#include "exact.h"
#include "loose.h"
#include "programs_trial.h"

enum { AVP, DATA, GUARDS, PLAIN, EXACT, CANDIDATE, REAL, MODELS };

static const char *const names[MODELS] = {"avp",   "data",      "guards", "exact without exchanges",
                                          "exact", "candidate", "real"};

static uint64_t violated[MODELS], blocks_compared, too_large, careless;

static bool is_beyond(const bool *answers, int inner, int outer, size_t begin, difference *found)
{
    return answers[inner] && !answers[outer] &&
           differ(found, "block of event %zu: violated by %s, and not by %s\n", begin, names[inner],
                  names[outer]);
}

/* By the definition a broken read-modify-write leaves its variable as it was, which is not so. What
 * relies on that proves nothing. */
static bool is_violated_carefully(const sample *s, size_t block, const ser_reads *reads)
{
    variant v;
    vary_carefully(&v, s, reads);
    bool is_so = !v.ready || is_violated(&v.s, block);
    avp_world_fini(&v.s.world);
    careless += !is_so;
    return is_so;
}

/* Only where the definition says more than exact data does. */
static void take_care(const sample *s, const ser_reads *data, size_t block, bool *answers)
{
    if (answers[AVP] && (!answers[DATA] || !answers[EXACT]))
        answers[AVP] = is_violated_carefully(s, block, NULL);
    if (answers[GUARDS] && !answers[EXACT])
        answers[GUARDS] = is_violated_carefully(s, block, &s->reads);
    if (answers[DATA] && (!answers[GUARDS] || !answers[EXACT]))
        answers[DATA] = is_violated_carefully(s, block, data);
}

static bool answers_differ(const sample *s, const ser_reads *data, size_t block, bool *answers,
                           difference *found)
{
    size_t begin = s->world.blocks[block].begin;
    for (int i = 0; i < MODELS; i++)
        violated[i] += answers[i];
    blocks_compared++;
    take_care(s, data, block, answers);
    return is_beyond(answers, AVP, DATA, begin, found) ||
           is_beyond(answers, DATA, GUARDS, begin, found) ||
           is_beyond(answers, GUARDS, EXACT, begin, found) ||
           is_beyond(answers, EXACT, REAL, begin, found) ||
           is_beyond(answers, PLAIN, EXACT, begin, found) ||
           is_beyond(answers, PLAIN, CANDIDATE, begin, found);
}

static bool fail_programs(const trial *t, const sample *s, difference *found)
{
    (void)t;
    script program;
    event_list trace = {0};
    size_t block_of[SCRIPT_BLOCKS];
    variant avp, data, loose;
    bool differs = false;
    write_script(&program, s->seed);
    record_script(&program, s->seed, &trace, block_of);
    vary(&avp, s, NULL);
    make_unguarded(&data, s);
    make_loose(&loose, s);
    for (size_t i = 0; i < s->world.block_count && !differs; i++) {
        script_answer exact = search_exact(&program, s, i, EXCHANGE_BY_DATA);
        script_answer plain =
            script_exchanges(&program) ? search_exact(&program, s, i, EXCHANGE_BY_MODEL) : exact;
        script_answer real = search_script(&program, block_of[i]);
        if (!avp.ready || !data.ready || !loose.ready || exact == SCRIPT_TOO_LARGE ||
            plain == SCRIPT_TOO_LARGE || real == SCRIPT_TOO_LARGE) {
            too_large++;
            continue;
        }
        bool answers[MODELS] = {
            [AVP] = is_violated(&avp.s, i),      [DATA] = is_violated(&data.s, i),
            [GUARDS] = is_violated(s, i),        [PLAIN] = plain == SCRIPT_VIOLATION,
            [EXACT] = exact == SCRIPT_VIOLATION, [CANDIDATE] = is_violated(&loose.s, i),
            [REAL] = real == SCRIPT_VIOLATION};
        differs = answers_differ(s, &data.reads, i, answers, found);
    }
    avp_world_fini(&avp.s.world);
    avp_world_fini(&data.s.world);
    ser_reads_fini(&data.reads);
    avp_world_fini(&loose.s.world);
    ser_reads_fini(&loose.reads);
    ser_vector_free(&trace);
    return differs;
}

void print_program_counts(void)
{
    if (!blocks_compared)
        return;
    printf("%" PRIu64 " blocks of programs, violated by", blocks_compared);
    for (int i = 0; i < MODELS; i++)
        printf(" %s %" PRIu64 "%s", names[i], violated[i], i + 1 < MODELS ? "," : "");
    printf("; %" PRIu64 " rely on an update that fails, %" PRIu64 " too large\n", careless,
           too_large);
}

const trial trial_programs = {"programs", fail_programs, NULL, false};
