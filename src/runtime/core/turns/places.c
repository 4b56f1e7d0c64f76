/* SPDX-License-Identifier: MIT */
#include "runtime/core/turns/places.h"

#include "contract/place.h"
#include "runtime/core/world.h"
#include "trace/event.h"

static uint64_t *places; /* by number of the site */
static uint64_t room;

static bool make_room(uint32_t number)
{
    uint64_t wanted = room ? room : 1024;
    while (wanted <= number)
        wanted *= 2;
    if (wanted == room)
        return true;
    uint64_t *larger = ser_memory(wanted * sizeof *larger);
    if (!larger)
        return false;
    if (room)
        __builtin_memcpy(larger, places, room * sizeof *larger);
    places = larger;
    room = wanted;
    return true;
}

void ser_places_note(uint32_t number, const char *file, uint32_t line, uint32_t column)
{
    if (file && make_room(number))
        places[number] = ser_place_of_line(file, line, column);
}

static uint64_t place_at(uint64_t number)
{
    return number < room ? places[number] : 0;
}

uint64_t ser_places_of(const ser_record *record)
{
    uint64_t site = record->site;
    uint8_t op = record->op;
    if (!site && (op == SER_OP_CALL || op == SER_OP_RETURN))
        site = record->object;
#define SER_X(raw, operation)                                                                      \
    if (op == SER_RAW_##raw)                                                                       \
        op = SER_OP_##operation;
    SER_RAW_OPERATIONS(SER_X)
#undef SER_X
    return ser_place_with(place_at(site), op);
}
