/* SPDX-License-Identifier: MIT */
/*
 * Both criteria are one breadth-first search over groups of accesses. A group is left
 * from any of its members and entered at any of them. The block is one group; every
 * other access is a group of its own for the path criterion, every other transaction
 * is a group for serializability. The search starts at the block and ends at the first group with
 * an edge back into it (ser_checker_path_find).
 *
 * Edges are not stored, since there would be too many. An access reaches all later
 * accesses of its thread, and all later accesses, or all later writes, of its
 * variable: three lanes, each a list in execution order that is followed from the access on. A
 * fourth one leads back through the accesses of one step, which happen at once. What another walk
 * of the lane has visited need not be visited again, so all walks together are O(accesses).
 */
#include "witness/checker/path.h"

enum lane { LANE_THREAD, LANE_VARIABLE, LANE_WRITES, LANE_STEP, LANE_COUNT };

/* Accesses are numbered from 1 in the order executed; 0 is none. */
typedef struct node {
    uint32_t event;
    bool writes;
    bool at_home;              /* in the block */
    bool walked[LANE_COUNT];   /* a walk of the lane has been here */
    uint32_t next[LANE_COUNT]; /* the next access outside the block in the lane */
    uint32_t home;             /* the next access of the block that it reaches; 0: none */
    uint32_t group;            /* first member of its group */
    uint32_t next_member;
    /* Of the first member of a group that was entered: by which edge. 0: it was not. */
    uint32_t from, to;
} node;

/* What lies ahead, while nodes are linked from the last to the first. */
typedef struct ahead {
    uint32_t any, write;           /* the next outside the block */
    uint32_t home_any, home_write; /* the next in the block */
} ahead;

/* The newest group of a thread, while groups are formed. */
typedef struct forming {
    uint32_t transaction, first, last;
} forming;

struct ser_path_finder {
    const ser_observed *observed;
    ahead *variables, *threads; /* all zero between searches */
    forming *groups;            /* by thread; all zero between searches */
    SER_VECTOR(node) nodes;
    ser_event_numbers queue; /* groups, by their first members */
};

ser_path_finder *ser_path_finder_create(const ser_observed *observed)
{
    ser_path_finder *finder = ser_alloc(1, sizeof *finder);
    finder->observed = observed;
    finder->variables = ser_alloc((size_t)observed->variables + 1, sizeof *finder->variables);
    finder->threads = ser_alloc(observed->threads.count + 1, sizeof *finder->threads);
    finder->groups = ser_alloc(observed->threads.count + 1, sizeof *finder->groups);
    return finder;
}

void ser_path_finder_destroy(ser_path_finder *finder)
{
    if (!finder)
        return;
    free(finder->variables);
    free(finder->threads);
    free(finder->groups);
    ser_vector_free(&finder->nodes);
    ser_vector_free(&finder->queue);
    free(finder);
}

static node *node_at(ser_path_finder *finder, uint32_t index)
{
    return &finder->nodes.items[index];
}

static const ser_event *event_of(const ser_path_finder *finder, const node *access)
{
    return &finder->observed->events[access->event];
}

/* Transactions of a thread follow one another, so that only the newest can grow. */
static void join_group(ser_path_finder *finder, uint32_t index, uint32_t transaction, bool single)
{
    node *access = node_at(finder, index);
    forming *newest = &finder->groups[event_of(finder, access)->thread];
    if (single || newest->transaction != transaction) {
        access->group = index;
        *newest = (forming){transaction, index, index};
        return;
    }
    access->group = newest->first;
    node_at(finder, newest->last)->next_member = index;
    newest->last = index;
}

/* Nodes for the accesses from `skipped` on, before `end`. */
static void form_groups(ser_path_finder *finder, const ser_executed_accesses *accesses,
                        size_t skipped, size_t end, uint32_t block, bool serializability)
{
    finder->nodes.count = 0;
    ser_vector_extend(&finder->nodes, end - skipped + 1);
    for (uint32_t index = 1; index < finder->nodes.count; index++) {
        const ser_executed_access *access = &accesses->items[skipped + index - 1];
        bool at_home = access->transaction == block;
        *node_at(finder, index) =
            (node){.event = access->event, .writes = access->writes, .at_home = at_home};
        join_group(finder, index, access->transaction, !at_home && !serializability);
    }
}

static uint32_t nearer(uint32_t a, uint32_t b)
{
    return a && (!b || a < b) ? a : b;
}

/* The access before it, if that is one step with it. */
static uint32_t step_mate(ser_path_finder *finder, uint32_t index)
{
    const node *access = node_at(finder, index);
    bool joined = index > 1 && !access->at_home &&
                  ser_observed_is_joined(finder->observed, node_at(finder, index - 1)->event);
    return joined ? index - 1 : 0;
}

static void link_node(ser_path_finder *finder, uint32_t index)
{
    node *access = node_at(finder, index);
    ahead *variable = &finder->variables[event_of(finder, access)->object];
    ahead *thread = &finder->threads[event_of(finder, access)->thread];
    access->next[LANE_THREAD] = thread->any;
    access->next[LANE_VARIABLE] = variable->any;
    access->next[LANE_WRITES] = variable->write;
    access->next[LANE_STEP] = step_mate(finder, index);
    if (!access->at_home)
        access->home =
            nearer(thread->home_any, access->writes ? variable->home_any : variable->home_write);
    *(access->at_home ? &thread->home_any : &thread->any) = index;
    *(access->at_home ? &variable->home_any : &variable->any) = index;
    if (access->writes)
        *(access->at_home ? &variable->home_write : &variable->write) = index;
}

static void link_lanes(ser_path_finder *finder)
{
    uint32_t count = (uint32_t)finder->nodes.count;
    for (uint32_t index = count; --index > 0;)
        link_node(finder, index);
    for (uint32_t index = 1; index < count; index++) {
        const ser_event *event = event_of(finder, node_at(finder, index));
        finder->variables[event->object] = (ahead){0};
        finder->threads[event->thread] = (ahead){0};
        finder->groups[event->thread] = (forming){0};
    }
}

static void walk(ser_path_finder *finder, uint32_t from, enum lane lane)
{
    for (uint32_t to = node_at(finder, from)->next[lane]; to;
         to = node_at(finder, to)->next[lane]) {
        node *reached = node_at(finder, to);
        if (reached->walked[lane])
            return;
        reached->walked[lane] = true;
        node *group = node_at(finder, reached->group);
        if (group->from)
            continue;
        group->from = from;
        group->to = to;
        ser_vector_push(&finder->queue, reached->group);
    }
}

static void leave_group(ser_path_finder *finder, uint32_t group)
{
    for (uint32_t from = group; from; from = node_at(finder, from)->next_member) {
        walk(finder, from, LANE_THREAD);
        walk(finder, from, LANE_STEP);
        walk(finder, from, node_at(finder, from)->writes ? LANE_VARIABLE : LANE_WRITES);
    }
}

/* The member of a group with an edge into the block; 0 if there is none. */
static uint32_t find_way_home(ser_path_finder *finder, uint32_t group)
{
    uint32_t member = group;
    while (member && !node_at(finder, member)->home)
        member = node_at(finder, member)->next_member;
    return member;
}

/* The group from which the block can be entered again; 0 if there is none. */
static uint32_t search(ser_path_finder *finder, uint32_t start)
{
    finder->queue.count = 0;
    leave_group(finder, start);
    for (size_t done = 0; done < finder->queue.count; done++) {
        uint32_t group = finder->queue.items[done];
        if (find_way_home(finder, group))
            return group;
        leave_group(finder, group);
    }
    return 0;
}

static void push_edge(ser_path_finder *finder, ser_event_numbers *edges, uint32_t from, uint32_t to)
{
    /* From the end of the path to its start; reversed when it is complete. */
    ser_vector_push(edges, node_at(finder, to)->event);
    ser_vector_push(edges, node_at(finder, from)->event);
}

static void trace_back(ser_path_finder *finder, uint32_t group, ser_event_numbers *edges)
{
    uint32_t last = find_way_home(finder, group);
    push_edge(finder, edges, last, node_at(finder, last)->home);
    for (const node *at = node_at(finder, group); at->from;
         at = node_at(finder, node_at(finder, at->from)->group))
        push_edge(finder, edges, at->from, at->to);
    for (size_t i = 0; i < edges->count / 2; i++) {
        uint32_t *early = &edges->items[i], *late = &edges->items[edges->count - 1 - i];
        uint32_t kept = *early;
        *early = *late;
        *late = kept;
    }
}

/* Before the block's first access; all accesses if it has none. */
static size_t count_before(const ser_executed_accesses *accesses, uint32_t block)
{
    size_t count = 0;
    while (count < accesses->count && accesses->items[count].transaction != block)
        count++;
    return count;
}

/* All accesses up to the block's last one, which is there. */
static size_t count_to_last(const ser_executed_accesses *accesses, uint32_t block)
{
    size_t count = accesses->count;
    while (accesses->items[count - 1].transaction != block)
        count--;
    return count;
}

/* A path contains nothing from before the block, and nothing from behind its last access leads back
 * to it. A cycle may contain both, since it can leave other blocks at any of their events. */
bool ser_checker_path_find(ser_path_finder *finder, const ser_executed_accesses *accesses,
                           uint32_t block, bool serializability, ser_event_numbers *edges)
{
    size_t before = count_before(accesses, block);
    if (before == accesses->count)
        return false;
    size_t skipped = serializability ? 0 : before;
    size_t end = serializability ? accesses->count : count_to_last(accesses, block);
    form_groups(finder, accesses, skipped, end, block, serializability);
    link_lanes(finder);
    uint32_t group = search(finder, (uint32_t)(before - skipped) + 1);
    if (group)
        trace_back(finder, group, edges);
    return group != 0;
}
