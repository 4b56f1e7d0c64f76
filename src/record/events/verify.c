/* SPDX-License-Identifier: MIT */
#include "record/events/verify.h"

void ser_verify(ser_verifier *verifier, const ser_event *event)
{
    ser_verified *variable = ser_vector_slot(&verifier->variables, event->object);
    bool has_value = event->flags & SER_EVENT_HAS_VALUE;
    if (!ser_op_writes((ser_op)event->op)) {
        if (!has_value)
            return;
        if (variable->known && variable->value != event->value && verifier->mismatches++ == 0) {
            verifier->first = *event;
            verifier->expected = variable->value;
        }
    }
    *variable = (ser_verified){event->value, has_value};
}
