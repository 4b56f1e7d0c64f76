/* SPDX-License-Identifier: MIT */
#include "predict/states/relation.h"

void ser_relation_init(ser_relation *relation, uint32_t count)
{
    *relation = (ser_relation){.count = count, .words = (count + 63) / 64};
    relation->reaches = ser_alloc((size_t)count * relation->words, sizeof *relation->reaches);
    relation->reachedby = ser_alloc((size_t)count * relation->words, sizeof *relation->reachedby);
}

void ser_relation_fini(ser_relation *relation)
{
    free(relation->reaches);
    free(relation->reachedby);
    ser_vector_free(&relation->added);
}

static uint64_t *row(uint64_t *matrix, const ser_relation *relation, uint32_t number)
{
    return matrix + (size_t)number * relation->words;
}

bool ser_relation_holds(const ser_relation *relation, uint32_t from, uint32_t to)
{
    return row(relation->reaches, relation, from)[to / 64] >> to % 64 & 1;
}

static void set_pair(ser_relation *relation, uint32_t from, uint32_t to)
{
    if (ser_relation_holds(relation, from, to))
        return;
    row(relation->reaches, relation, from)[to / 64] |= UINT64_C(1) << to % 64;
    row(relation->reachedby, relation, to)[from / 64] |= UINT64_C(1) << from % 64;
    ser_vector_push(&relation->added, (uint64_t)from << 32 | to);
}

/* `from` reaches `to` and all that `to` reaches. */
static void connect(ser_relation *relation, uint32_t from, uint32_t to)
{
    const uint64_t *targets = row(relation->reaches, relation, to);
    set_pair(relation, from, to);
    for (uint32_t word = 0; word < relation->words; word++)
        for (uint64_t bits = targets[word]; bits; bits &= bits - 1)
            set_pair(relation, from, word * 64 + (uint32_t)__builtin_ctzll(bits));
}

void ser_relation_add(ser_relation *relation, uint32_t from, uint32_t to)
{
    if (ser_relation_holds(relation, from, to))
        return;
    const uint64_t *sources = row(relation->reachedby, relation, from);
    connect(relation, from, to);
    for (uint32_t word = 0; word < relation->words; word++)
        for (uint64_t bits = sources[word]; bits; bits &= bits - 1)
            connect(relation, word * 64 + (uint32_t)__builtin_ctzll(bits), to);
}

void ser_relation_undo(ser_relation *relation, size_t count)
{
    while (relation->added.count > count) {
        uint64_t pair = relation->added.items[--relation->added.count];
        uint32_t from = (uint32_t)(pair >> 32), to = (uint32_t)pair;
        row(relation->reaches, relation, from)[to / 64] &= ~(UINT64_C(1) << to % 64);
        row(relation->reachedby, relation, to)[from / 64] &= ~(UINT64_C(1) << from % 64);
    }
}
