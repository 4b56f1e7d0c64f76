/* SPDX-License-Identifier: MIT */
/*
 * path_reach.h - which accesses of other threads may lie on a violation path.
 *
 * An over-approximation: per thread the first access that a path out of the block
 * may reach and the last one from which a path may come back. What lies between may
 * be on a path, if it is an access that no lock of the block keeps out.
 */
#ifndef SER_PREDICT_PATH_REACH_H
#define SER_PREDICT_PATH_REACH_H

#include "order/order.h"
#include "predict/segment.h"

typedef struct ser_path_reach {
    uint32_t *first, *last; /* eids for each thread; first > last: none */
} ser_path_reach;

void ser_path_reach_init(ser_path_reach *reach, const ser_order *order, uint32_t block,
                         const ser_segment *segment);
void ser_path_reach_fini(ser_path_reach *reach);

#endif
