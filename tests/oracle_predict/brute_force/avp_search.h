/* SPDX-License-Identifier: MIT */
/*
 * avp_search.h - can a block be violated? By looking at all interleavings.
 *
 * avp_search remembers the states it has been in; avp_search_naive remembers nothing
 * and looks at every single interleaving, with the criterion spelled out as in the
 * definition. The second is there to try the first.
 */
#ifndef SER_ORACLE_AVP_SEARCH_H
#define SER_ORACLE_AVP_SEARCH_H

#include "avp_world.h"

/* Events in the order executed. */
typedef struct avp_order {
    uint32_t events[AVP_MOST_EVENTS];
    size_t count;
} avp_order;

typedef enum avp_answer { AVP_NONE, AVP_VIOLATION, AVP_TOO_LARGE } avp_answer;

/* `witness` is the order that shows the violation. AVP_TOO_LARGE after so many
 * states. */
avp_answer avp_search(const avp_world *world, size_t block, bool serializability, size_t most,
                      avp_order *witness);

/* By paths, in a window: the events before `first` happen as observed, and then only some of those
 * up to `last`. */
avp_answer avp_search_window(const avp_world *world, size_t block, size_t first, size_t last,
                             size_t most);

avp_answer avp_search_naive(const avp_world *world, size_t block, bool serializability,
                            avp_order *witness);

#endif
