/* SPDX-License-Identifier: MIT */
#include "record/events/batch.h"

void ser_batch_open(ser_event_maker *maker)
{
    size_t room;
    maker->batch = maker->next = ser_writer_room(maker->writer, &room);
    maker->end = maker->batch + room;
}

void ser_batch_write(ser_event_maker *maker)
{
    size_t count = (size_t)(maker->next - maker->batch);
    ser_labels_settle(maker->labels);
    for (ser_event *event = maker->batch; maker->redact && event < maker->next; event++)
        ser_event_redact(event);
    if (maker->status == SER_OK)
        maker->status = ser_writer_put(maker->writer, maker->batch, count, maker->error);
    if (!maker->verifier) /* which names the variable of the first wrong read at the end */
        ser_symbols_forget(maker->symbols, SER_SPACE_VARIABLE,
                           ser_writer_names(maker->writer, SER_SPACE_VARIABLE));
    maker->result->events += count;
    ser_batch_open(maker);
}
