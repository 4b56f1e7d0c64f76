/* SPDX-License-Identifier: MIT */
/*
 * Elevator: lifts look at the floors, each under its lock, for people who want to ride;
 * nearly always they find what the constructor wrote. So nearly all couples lead to
 * MAIN, nothing orders the lifts, and segments are large. A few times a lift
 * claims a floor. No lock guards the statistics of rides.
 */
#include "models.h"

enum { CLAIM_PERCENT = 1 };

typedef struct building {
    uint32_t hall;                               /* the innermost lock */
    range locks, buttons, claims;                /* one each a floor */
    range statistics, hall_cells, people, plans; /* guarded by the hall; by floors; a lift's own */
} building;

static void visit(program *p, const building *b, uint32_t lift, uint32_t floor, bool disturbed)
{
    do_open(p, b->locks.first + floor);
    if (disturbed)
        do_touch(p, b->statistics);
    do_read(p, b->buttons.first + floor);
    slot_accesses(p, part_of(b->people, b->locks.count, floor), 0, 3);
    if (random_chance(&p->random, CLAIM_PERCENT))
        do_update(p, b->claims.first + floor);
    else
        do_read(p, b->claims.first + floor);
    slot_sections(p, b->hall, b->hall_cells, 1);
    if (disturbed)
        do_touch(p, b->statistics);
    do_close(p, b->locks.first + floor);
    slot_accesses(p, part_of(b->plans, p->wanted->threads - 1, lift), 30, 2);
    slot_accesses(p, b->people, 0, 1);
    slot_accesses(p, b->statistics, 1, 1);
    slot_calls(p, 1);
}

void build_elevator(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t floors = wanted->locks - 1;
    building b = {
        .locks = add_objects(p, SER_SPACE_LOCK, floors, "floor%u"),
        .hall = add_object(p, SER_SPACE_LOCK, "hall"),
        .statistics = add_objects(p, SER_SPACE_VARIABLE, 3, "statistics[%u]"),
        .buttons = add_objects(p, SER_SPACE_VARIABLE, floors, "floor[%u].button"),
        .claims = add_objects(p, SER_SPACE_VARIABLE, floors, "floor[%u].claimed"),
        .hall_cells = add_objects(p, SER_SPACE_VARIABLE, 4, "hall[%u]"),
    };
    uint32_t left = wanted->variables - p->made.variables;
    b.people = add_objects(p, SER_SPACE_VARIABLE, left * 2 / 3, "person[%u]");
    b.plans = add_objects(p, SER_SPACE_VARIABLE, left - left * 2 / 3, "plan[%u]");
    range lifts = add_objects(p, SER_SPACE_THREAD, wanted->threads - 1, "lift%u");
    p->burst = 30;

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    do_join_all(p);
    for (uint32_t i = 0, visit_count = 0; i < lifts.count; i++) {
        act_as(p, lifts.first + i);
        uint32_t visits = share(wanted->blocks, lifts.count, i);
        for (uint32_t k = 0; k < visits; k++) {
            if (k % floors == 0)
                do_enter(p, "ride");
            visit(p, &b, i, (k + 3 * i) % floors,
                  share(p->disturbed, wanted->blocks, visit_count++) > 0);
            if (k % floors == floors - 1 || k + 1 == visits)
                do_leave(p);
        }
    }
}
