/* SPDX-License-Identifier: MIT */
/*
 * Draws the types of transactions. A block has 10 to 26 accesses, seven in ten
 * of them reads, to three to six variables; with begin, end and one to three
 * locks that makes some 55% reads, 25% writes and 20% other events.
 */
#include "scenario.h"

typedef struct builder {
    transaction_type *type;
    random_source *random;
    uint32_t site, locations;
} builder;

static void add_step(builder *b, ser_op op, uint32_t index)
{
    step added = {(uint8_t)op, (uint8_t)index, b->site++ % b->locations};
    ser_vector_push(&b->type->steps, added);
}

static uint32_t draw_locks(random_source *random, uint32_t most)
{
    uint32_t draw = random_below(random, 10);
    uint32_t locks = draw < 7 ? 1 : draw < 9 ? 2 : 3;
    return locks < most ? locks : most;
}

static void add_access(builder *b)
{
    ser_op op = random_chance(b->random, 70) ? SER_OP_READ : SER_OP_WRITE;
    add_step(b, op, random_below(b->random, b->type->slots));
}

/* A few accesses in a block or section of their own. */
static uint32_t add_nested(builder *b)
{
    bool section = random_chance(b->random, 50);
    uint32_t accesses = random_between(b->random, 1, 4);
    uint32_t lock = random_below(b->random, b->type->locks);
    add_step(b, section ? SER_OP_ACQUIRE : SER_OP_BEGIN, lock);
    for (uint32_t i = 0; i < accesses; i++)
        add_access(b);
    add_step(b, section ? SER_OP_RELEASE : SER_OP_END, lock);
    return accesses;
}

static void add_body(builder *b, bool nested)
{
    uint32_t accesses = random_between(b->random, 10, 26);
    while (accesses > 0) {
        uint32_t made = 1;
        if (nested && accesses > 4 && random_chance(b->random, 15))
            made = add_nested(b);
        else
            add_access(b);
        accesses -= made;
    }
}

static void build_type(builder *b, const workload_options *options)
{
    transaction_type *type = b->type;
    type->locks = draw_locks(b->random, options->locks);
    type->slots = random_between(b->random, 3, MOST_SLOTS);
    for (uint32_t i = 0; i < type->slots; i++)
        type->guards[i] = random_below(b->random, type->locks);

    bool block = options->shape != SHAPE_UNARY || random_chance(b->random, 50);
    if (block)
        add_step(b, SER_OP_BEGIN, 0);
    for (uint32_t i = 0; i < type->locks; i++)
        add_step(b, SER_OP_ACQUIRE, i);
    add_body(b, options->shape == SHAPE_NESTED);
    for (uint32_t i = type->locks; i-- > 0;)
        add_step(b, SER_OP_RELEASE, i);
    if (block)
        add_step(b, SER_OP_END, 0);
}

void make_types(type_list *types, const workload_options *options, random_source *random)
{
    builder b = {.random = random, .locations = options->locations};
    do {
        transaction_type type = {0};
        b.type = &type;
        build_type(&b, options);
        ser_vector_push(types, type);
    } while (b.site < options->locations);
}

void free_types(type_list *types)
{
    for (size_t i = 0; i < types->count; i++)
        ser_vector_free(&types->items[i].steps);
    ser_vector_free(types);
}
