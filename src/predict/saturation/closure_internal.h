/* SPDX-License-Identifier: MIT */
/* closure_internal.h - what the files of a closure share. */
#ifndef SER_PREDICT_SATURATION_CLOSURE_INTERNAL_H
#define SER_PREDICT_SATURATION_CLOSURE_INTERNAL_H

#include "predict/saturation/closure.h"

/* Called for each step that the given one needs or reads. */
typedef void (*ser_closure_visitor)(ser_closure *closure, uint32_t step, uint32_t before);

void ser_closure_visit_before(ser_closure *closure, uint32_t number, ser_closure_visitor visit);

/* No clock is left to be handed on. */
void ser_closure_forget_grown(ser_closure *closure);

#endif
