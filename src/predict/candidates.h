/* SPDX-License-Identifier: MIT */
/*
 * candidates.h - interleavings that violate a block if threads take the same paths after changed
 * reads.
 *
 * In the model `candidate` every read may get another write and its thread goes on (but for
 * compare-exchanges, failed tries and waits, which are as in avp). Such an interleaving proves
 * nothing by itself: the program may leave its recorded path after a changed read. So it is never
 * a violation of `predict`; a replay of the real program judges it.
 *
 *     ser_candidate_search *search = ser_candidate_search_create(&prediction, &options);
 *     for (size_t i = 0; i < ser_candidate_search_places(search); i++)
 *         while (ser_candidate_search_next(search, i, &candidate, &found, error) == SER_OK &&
 * found)
 *             ... replay it; refuted: ser_candidate_search_teach(search, read, limit)
 *                 confirmed or untested: break
 *     ser_candidate_search_destroy(search);
 *
 * A place is the code of blocks: one execution of it is enough. Places with a certain violation are
 * not searched, nor those that provably do not conflict with data of other threads. The witness of
 * a candidate has passed the independent checker under the model, and has as few changed reads as
 * were found to be needed: mostly one.
 *
 * The search is bounded, in pieces of the run near the block: if nothing is found, nothing is
 * proven. Not thread-safe.
 */
#ifndef SER_PREDICT_CANDIDATES_H
#define SER_PREDICT_CANDIDATES_H

#include "predict/predict.h"

typedef struct ser_candidate {
    size_t place; /* from 0 */
    /* The reads that change and after which their threads go on: what a replay judges. The
     * witness may have others at which a thread stops (facts.broken has all). */
    ser_event_list changed;
    /* Block, witness (order) and what the checker saw (facts). The verdict is SER_VERDICT_VIOLATION
     * and the model SER_MODEL_CANDIDATE. */
    ser_block_result result;
} ser_candidate;

void ser_candidate_fini(ser_candidate *candidate);

typedef struct ser_candidate_search ser_candidate_search;

/* Of the blocks of the prediction, by its options (engine, criterion, memory, should_stop). Run and
 * prediction must outlive the search; results are only read. */
ser_candidate_search *ser_candidate_search_create(const ser_prediction *certain,
                                                  const ser_predict_options *options);
void ser_candidate_search_destroy(ser_candidate_search *search); /* accepts NULL */

size_t ser_candidate_search_places(const ser_candidate_search *search);
/* The first block of a place: an index in run->blocks. */
uint32_t ser_candidate_search_block(const ser_candidate_search *search, size_t place);

/* A candidate of the place, to be finished with ser_candidate_fini; false in *found if there is
 * none (any more). The same one again, unless ser_candidate_search_teach was called since.
 * SER_INTERNAL if the checker refuses a witness: a bug of ours. */
ser_status ser_candidate_search_next(ser_candidate_search *search, size_t place,
                                     ser_candidate *candidate, bool *found, ser_error *error);

/*
 * What a refutation shows: if the read (one of those that changed) changes, its thread does not
 * reach the event `limit`, a later one of its thread; SER_LIMIT_NEXT: no later one. Holds for all
 * candidates from now on, and also for reads at the same place in other runs of the code, as far as
 * these are alike up to the limit.
 */
void ser_candidate_search_teach(ser_candidate_search *search, uint32_t read, uint32_t limit);

typedef SER_VECTOR(ser_candidate) ser_candidate_list;

/* One candidate of each place that has one, those with the fewest changed reads first. Ends early
 * if should_stop says so. */
ser_status ser_candidate_search_list(ser_candidate_search *search, ser_candidate_list *list,
                                     ser_error *error);
void ser_candidate_list_fini(ser_candidate_list *list);

#endif
