/* SPDX-License-Identifier: MIT */
#include "predict/saturation/links.h"

/* Where a path may stay in a thread: steps [first, end). */
typedef struct stay {
    uint32_t thread, first, end;
} stay;

static const ser_task_step *step_at(const ser_path_candidates *at, uint32_t step)
{
    return &at->task->steps.items[step];
}

static stay stay_of_front(const ser_path_candidates *at, uint32_t front, bool can_go_on)
{
    uint32_t thread = step_at(at, front)->thread, end = ser_task_move_end(at->task, front);
    uint32_t last = at->task->threads.items[thread].first + at->must->possible[thread];
    while (can_go_on && end < last && !at->kept_out[end])
        end++;
    return (stay){thread, ser_task_move_first(at->task, front), end};
}

static stay stay_of_target(const ser_path_candidates *at, uint32_t target)
{
    uint32_t thread = step_at(at, target)->thread, first = target;
    while (first > at->task->threads.items[thread].first && !at->kept_out[first - 1])
        first--;
    return (stay){thread, first, ser_task_move_end(at->task, target)};
}

static ser_range within(ser_range range, const stay *where)
{
    return ser_range_until(ser_range_from(range, where->first), where->end);
}

static bool leads(const ser_path_candidates *at, uint32_t from, uint32_t to)
{
    return !at->kept_out[from] && !at->kept_out[to] && !ser_must_precede(at->must, to, from);
}

static void add(const ser_path_candidates *at, uint32_t from, uint32_t to, ser_link_list *links)
{
    if (leads(at, from, to))
        ser_vector_push(links, ((ser_link){from, to}));
}

/* Between two stays: for each access that the path reaches, the first that conflicts; only
 * if no later one has as early a one. */
static void link_stays(const ser_path_candidates *at, const stay *front, const stay *target,
                       ser_link_list *links)
{
    const ser_lanes *lanes = at->lanes;
    uint32_t least = front->end;
    for (uint32_t to = target->end; to-- > target->first;) {
        if (!step_at(at, to)->access)
            continue;
        uint32_t variable = step_at(at, to)->variable;
        for (uint32_t i = lanes->first_of[variable]; i < lanes->first_of[variable + 1]; i++) {
            const ser_lane *lane = &lanes->all.items[i];
            if (lane->thread != front->thread)
                continue;
            ser_range rivals = within(ser_lane_rivals(lane, step_at(at, to)->access), front);
            if (!rivals.count || rivals.steps[0] >= least || !leads(at, rivals.steps[0], to))
                continue;
            least = rivals.steps[0];
            ser_vector_push(links, ((ser_link){least, to}));
        }
    }
}

/* From one access to all of other threads with which no earlier one of the stay
 * conflicts. `own` is the lane of the access. */
static void link_from(const ser_path_candidates *at, const ser_path_gap *gap, const stay *front,
                      const ser_lane *own, uint32_t from, ser_link_list *links)
{
    const ser_lanes *lanes = at->lanes;
    uint32_t variable = step_at(at, from)->variable;
    bool is_first = within(own->accesses, front).steps[0] == from;
    ser_range writes = within(own->writes, front);
    bool is_first_write = writes.count && writes.steps[0] == from;
    if (!is_first && !is_first_write)
        return;
    for (uint32_t i = lanes->first_of[variable]; i < lanes->first_of[variable + 1]; i++) {
        const ser_lane *lane = &lanes->all.items[i];
        if (gap->used[lane->thread])
            continue;
        ser_range rivals = ser_lane_rivals(lane, step_at(at, from)->access);
        for (uint32_t k = 0; k < rivals.count; k++)
            if (is_first || step_at(at, rivals.steps[k])->access == SER_ACCESS_READ)
                add(at, from, rivals.steps[k], links);
    }
}

/* To one access from all of other threads that conflict with no later one of the stay. */
static void link_to(const ser_path_candidates *at, const ser_path_gap *gap, const stay *target,
                    const ser_lane *own, uint32_t to, ser_link_list *links)
{
    const ser_lanes *lanes = at->lanes;
    uint32_t variable = step_at(at, to)->variable;
    ser_range accesses = within(own->accesses, target), writes = within(own->writes, target);
    bool is_last = accesses.steps[accesses.count - 1] == to;
    bool is_last_write = writes.count && writes.steps[writes.count - 1] == to;
    if (!is_last && !is_last_write)
        return;
    for (uint32_t i = lanes->first_of[variable]; i < lanes->first_of[variable + 1]; i++) {
        const ser_lane *lane = &lanes->all.items[i];
        if (gap->used[lane->thread])
            continue;
        ser_range rivals = ser_lane_rivals(lane, step_at(at, to)->access);
        for (uint32_t k = 0; k < rivals.count; k++)
            if (is_last || step_at(at, rivals.steps[k])->access == SER_ACCESS_READ)
                add(at, rivals.steps[k], to, links);
    }
}

static const ser_lane *lane_of(const ser_path_candidates *at, uint32_t step)
{
    const ser_task_step *access = step_at(at, step);
    const ser_lane *lane = &at->lanes->all.items[at->lanes->first_of[access->variable]];
    while (lane->thread != access->thread)
        lane++;
    return lane;
}

static stay front_of(const ser_path_candidates *at, const ser_path_gap *gap)
{
    return stay_of_front(at, gap->front, gap->can_go_on);
}

void ser_links_forwards(const ser_path_candidates *candidates, const ser_path_gap *gap,
                        ser_link_list *links)
{
    stay front = front_of(candidates, gap);
    if (gap->target != SER_TASK_NONE) {
        stay target = stay_of_target(candidates, gap->target);
        link_stays(candidates, &front, &target, links);
    }
    for (uint32_t i = front.first; i < front.end; i++)
        if (step_at(candidates, i)->access)
            link_from(candidates, gap, &front, lane_of(candidates, i), i, links);
}

void ser_links_backwards(const ser_path_candidates *candidates, const ser_path_gap *gap,
                         ser_link_list *links)
{
    stay front = front_of(candidates, gap), target = stay_of_target(candidates, gap->target);
    link_stays(candidates, &front, &target, links);
    for (uint32_t i = target.end; i-- > target.first;)
        if (step_at(candidates, i)->access)
            link_to(candidates, gap, &target, lane_of(candidates, i), i, links);
}
