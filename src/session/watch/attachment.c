/* SPDX-License-Identifier: MIT */
#include "session/watch/attachment.h"

void ser_attachment_fini(ser_attachment *attachment)
{
    ser_vector_free(&attachment->heads);
}

void ser_attachment_set(ser_attachment *attachment, ser_program *program, bool attached)
{
    ser_program_pause(program, !attached);
    if (!attached)
        attachment->stage = SER_DETACHED;
    else if (attachment->stage == SER_DETACHED)
        attachment->stage = SER_ATTACHING;
}

/* Ring 0 is there in any case. */
static bool is_ring(const ser_channel *channel, uint32_t ring)
{
    return ring == 0 || ser_ring_was_claimed(channel, ring);
}

static void note_heads(ser_attachment *attachment, const ser_channel *channel)
{
    attachment->heads.count = 0;
    for (uint32_t i = 0; is_ring(channel, i); i++) {
        uint64_t head = __atomic_load_n(&channel->rings[i].head, __ATOMIC_ACQUIRE);
        ser_vector_push(&attachment->heads, head);
    }
}

static bool are_taken(const ser_attachment *attachment, const ser_channel *channel)
{
    for (size_t i = 0; i < attachment->heads.count; i++)
        if (channel->rings[i].tail < attachment->heads.items[i])
            return false;
    return true;
}

void ser_attachment_tend(ser_attachment *attachment, const ser_program *program)
{
    if (attachment->stage == SER_ATTACHING && ser_program_records_all(program)) {
        note_heads(attachment, program->channel);
        attachment->stage = SER_CATCHING_UP;
    }
    if (attachment->stage == SER_CATCHING_UP && are_taken(attachment, program->channel))
        attachment->stage = SER_ATTACHED;
}
