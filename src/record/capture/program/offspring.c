/* SPDX-License-Identifier: MIT */
/*
 * Children are killed until there are none: when one ends, its own children become ours, and are
 * next. Usually there are none, which takes one system call to find out.
 */
#include "record/capture/program/offspring.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

typedef SER_VECTOR(pid_t) pid_list;

static const double longest = 2; /* seconds; a process may be stuck in the kernel */

static bool has_children(void)
{
    siginfo_t about;
    return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* 0 if the process is gone. */
static pid_t parent_of(const char *process)
{
    char path[64], content[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(content, 1, sizeof content - 1, file);
    fclose(file);
    content[length] = '\0';
    const char *name_end = strrchr(content, ')'); /* the name may hold anything; then " S PARENT" */
    return name_end && name_end[1] && name_end[2] ? (pid_t)strtol(name_end + 3, NULL, 10) : 0;
}

static void list_children(pid_list *children)
{
    children->count = 0;
    DIR *processes = has_children() ? opendir("/proc") : NULL;
    if (!processes)
        return;
    for (struct dirent *entry; (entry = readdir(processes));)
        if (isdigit((unsigned char)*entry->d_name) && parent_of(entry->d_name) == getpid())
            ser_vector_push(children, (pid_t)strtol(entry->d_name, NULL, 10));
    closedir(processes);
}

static bool was_there_before(const ser_offspring *offspring, pid_t process)
{
    for (size_t i = 0; i < offspring->before.count; i++)
        if (offspring->before.items[i] == process)
            return true;
    return false;
}

void ser_offspring_adopt(ser_offspring *offspring, pid_t program)
{
    pid_list children = {0};
    if (offspring->adopts)
        return;
    list_children(&children);
    for (size_t i = 0; i < children.count; i++)
        if (children.items[i] != program)
            ser_vector_push(&offspring->before, children.items[i]);
    ser_vector_free(&children);
    offspring->adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

/* How many there were. */
static size_t kill_children(const ser_offspring *offspring, pid_list *children)
{
    size_t count = 0;
    list_children(children);
    for (size_t i = 0; i < children->count; i++) {
        if (was_there_before(offspring, children->items[i]))
            continue;
        count++;
        kill(children->items[i], SIGKILL);
        waitpid(children->items[i], NULL, WNOHANG);
    }
    return count;
}

void ser_offspring_end(ser_offspring *offspring)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    double start = ser_clock_now();
    pid_list children = {0};
    while (offspring->adopts && kill_children(offspring, &children) > 0 &&
           ser_clock_now() - start < longest)
        nanosleep(&pause, NULL);
    if (offspring->adopts)
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    offspring->adopts = false;
    ser_vector_free(&children);
    ser_vector_free(&offspring->before);
}
