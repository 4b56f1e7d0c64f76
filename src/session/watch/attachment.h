/* SPDX-License-Identifier: MIT */
/*
 * attachment.h - whether a watched program is recorded wholly at the moment.
 *
 * While it is detached its runtime records no plain accesses: what it does goes into the past
 * (record/past.h) alone. When it is attached again, records count from a place of the run on
 * behind which all accesses have a record: first the runtime must have said so, then everything
 * that was in the rings by then must have been taken.
 *
 * Used by the recorder's thread, between two times that it drains the rings.
 */
#ifndef SER_SESSION_WATCH_ATTACHMENT_H
#define SER_SESSION_WATCH_ATTACHMENT_H

#include "base/vector.h"
#include "record/capture/program.h"

typedef enum ser_attachment_stage {
    SER_ATTACHED,
    SER_DETACHED,
    SER_ATTACHING,   /* accesses may still be made without a record */
    SER_CATCHING_UP, /* what was recorded until then is still to be taken */
} ser_attachment_stage;

typedef struct ser_attachment {
    ser_attachment_stage stage;
    SER_VECTOR(uint64_t) heads; /* catching up: of the rings, to be taken */
} ser_attachment;

void ser_attachment_fini(ser_attachment *attachment);

void ser_attachment_set(ser_attachment *attachment, ser_program *program, bool attached);

/* Before the rings are drained. */
void ser_attachment_tend(ser_attachment *attachment, const ser_program *program);

#endif
