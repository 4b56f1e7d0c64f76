/* SPDX-License-Identifier: MIT */
#include "cli/commands/replay_walk.h"

#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output/log.h"
#include "base/output/print.h"
#include "report/describe.h"
#include "report/source_line.h"

/* How many operations of the schedule are made when the block's first event has happened. */
static uint64_t operations_until_block(const ser_plan *plan, const ser_replay_aim *aim)
{
    for (size_t i = 0; i < aim->order->count; i++)
        if (aim->order->items[i] == aim->block)
            return plan->made.items[i];
    return plan->operations;
}

/* The terminal, since standard input may be the program's. */
static uint64_t begin(void *context, ser_follower *follower, const ser_replay_aim *aim)
{
    ser_walk *walk = context;
    walk->follower = follower;
    walk->from = operations_until_block(follower->plan, aim);
    walk->limit = walk->step ? walk->from : follower->plan->operations;
    if (walk->step)
        walk->answers = isatty(STDIN_FILENO) ? fopen("/dev/tty", "r") : fdopen(dup(0), "r");
    return walk->limit;
}

static void end(void *context)
{
    ser_walk *walk = context;
    if (walk->answers)
        fclose(walk->answers);
    walk->answers = NULL;
}

static bool is_done(const void *context)
{
    return ser_follower_is_done(((const ser_walk *)context)->follower);
}

static void show_step(const ser_walk *walk)
{
    const ser_run *run = walk->follower->plan->run;
    if (!walk->follower->last)
        return;
    const ser_event *event = &run->events[walk->follower->last];
    const char *location = ser_symbols_shown_location(run->symbols, event->site);
    char operation[320];
    ser_describe_operation(run->symbols, event, operation, sizeof operation);
    char *line = ser_source_line(location);
    ser_print(stdout, "%8" PRIu32 "  %-4s  %-34s  %s\n", walk->follower->last,
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, event->thread), operation,
              location);
    if (line && *line)
        ser_print(stdout, "%16s%s\n", "", line);
    free(line);
}

/* How many steps to go on; 0: to the end; -1: stop. */
static long ask(const ser_walk *walk)
{
    char answer[64];
    ser_print(stdout, "step> ");
    fflush(stdout);
    if (!walk->answers || !fgets(answer, sizeof answer, walk->answers))
        return 0;
    if (*answer == 'q')
        return -1;
    if (*answer == 'c')
        return 0;
    long count = strtol(answer, NULL, 10);
    return count > 0 ? count : 1;
}

static void debug(const ser_program *program)
{
    char process[16];
    pid_t child;
    snprintf(process, sizeof process, "%d", program->channel->owner);
    char *command[] = {"gdb", "-q", "-p", process, NULL};
    ser_message("the program is stopped at the violation; quit gdb to let it go on");
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGINT, &ignore, &before); /* Ctrl-C is gdb's */
    if (posix_spawnp(&child, command[0], NULL, NULL, command, environ) == 0)
        while (waitpid(child, NULL, 0) < 0)
            ;
    else
        ser_warning("gdb could not be started");
    sigaction(SIGINT, &before, NULL); /* with its flags, which signal() would lose */
}

/* The program is stopped after so many steps. False: it is to be ended. A step that is not in the
 * trace cannot be shown: then the program goes on by one more. */
static bool stand(ser_walk *walk, ser_program *program)
{
    uint64_t planned = walk->follower->plan->operations;
    if (walk->step && !walk->follower->last && walk->limit < planned) {
        walk->limit++;
    } else if (walk->gdb && walk->limit >= planned) {
        debug(program);
        walk->limit = 0;
    } else {
        long count = ask(walk);
        if (count < 0)
            return false;
        walk->limit = count ? walk->limit + (uint64_t)count : walk->gdb ? planned : 0;
        if (walk->limit > planned)
            walk->limit = walk->gdb ? planned : 0;
    }
    ser_program_allow(program, walk->limit);
    return true;
}

static bool look(void *context, ser_program *program, const ser_record *records, size_t count)
{
    ser_walk *walk = context;
    for (size_t i = 0; i < count; i++) {
        uint64_t before = walk->follower->total;
        if (!ser_follower_look(walk->follower, program, &records[i], 1))
            return false;
        if (walk->follower->total == before)
            continue;
        if (walk->step && walk->limit && walk->follower->total >= walk->from)
            show_step(walk);
        if (walk->limit && walk->follower->total >= walk->limit && !stand(walk, program))
            return false;
    }
    return true;
}

ser_replay_watcher ser_walk_watcher(ser_walk *walk)
{
    return (ser_replay_watcher){
        .context = walk, .begin = begin, .look = look, .is_done = is_done, .end = end};
}
