/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn, not fork: a copy of this process, which may hold a trace of gigabytes, is too
 * expensive. The child leads a process group, so that one signal also reaches what the shell
 * started; Ctrl-C at the terminal does not reach it, we pass a stop on. Reading and writing
 * alternate as the child likes (poll), so that neither side ever waits for the other with full
 * pipes.
 */
#include "predict/smt/solver/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 20, PIECE = 65536, MOST_RECEIVED = 1 << 26 };

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* The command, below a limit on memory where there is one. */
static char *shell_text(const char *command, size_t memory)
{
    size_t size = strlen(command) + 64;
    char *text = ser_alloc(size, 1);
    if (memory)
        snprintf(text, size, "ulimit -v %zu 2>/dev/null\n%s", memory / 1024 + 1, command);
    else
        snprintf(text, size, "%s", command);
    return text;
}

static bool spawn(ser_child *child, const char *text, int input, int output)
{
    char *arguments[] = {"sh", "-c", (char *)text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, pipe_only;
    sigemptyset(&none);
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipe_only);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn(&child->process, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0;
}

/* pipe2 with O_CLOEXEC: a child that another thread starts must not inherit it. */
bool ser_child_start(ser_child *child, const char *command, size_t memory)
{
    int to_child[2] = {-1, -1}, from_child[2] = {-1, -1};
    *child = (ser_child){.input = -1, .output = -1};
    bool started = pipe2(to_child, O_CLOEXEC) == 0 && pipe2(from_child, O_CLOEXEC) == 0;
    if (started) {
        char *text = shell_text(command, memory);
        started = spawn(child, text, to_child[0], from_child[1]);
        free(text);
    }
    close_end(&to_child[0]);
    close_end(&from_child[1]);
    if (!started) {
        close_end(&to_child[1]);
        close_end(&from_child[0]);
        return false;
    }
    child->input = to_child[1];
    child->output = from_child[0];
    fcntl(child->input, F_SETFL, O_NONBLOCK);
    fcntl(child->output, F_SETFL, O_NONBLOCK);
    return true;
}

void ser_child_hang_up(ser_child *child)
{
    close_end(&child->input);
}

void ser_child_end(ser_child *child)
{
    ser_child_hang_up(child);
    close_end(&child->output);
    kill(-child->process, SIGKILL);
    while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
        ;
}

void ser_child_fini(ser_child *child)
{
    ser_vector_free(&child->received);
}

/* Writes what the pipe takes without SIGPIPE for the process: it is blocked in this
 * thread meanwhile, and one that came of our writing is taken back. */
static ssize_t write_quietly(int end, const char *bytes, size_t count)
{
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t written = write(end, bytes, count);
    int error = errno;
    if (written < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
        struct timespec at_once = {0};
        while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

static void write_some(ser_child *child, const ser_text *text, size_t *sent)
{
    ssize_t written = write_quietly(child->input, text->items + *sent, text->count - *sent);
    if (written > 0)
        *sent += (size_t)written;
    else if (written < 0 && errno != EINTR && errno != EAGAIN)
        ser_child_hang_up(child); /* it has gone; what it said before still counts */
}

static void read_some(ser_child *child)
{
    ser_text *received = &child->received;
    ser_vector_reserve(received, received->count + PIECE + 1);
    ssize_t count = read(child->output, received->items + received->count, PIECE);
    if (count > 0)
        received->count += (size_t)count;
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        close_end(&child->output);
    received->items[received->count] = '\0';
    if (received->count > MOST_RECEIVED)
        close_end(&child->output);
}

bool ser_child_talk(ser_child *child, const ser_text *text, ser_child_enough *enough,
                    void *listener, const ser_search_options *options, ser_reason *reason)
{
    size_t sent = 0, count = text ? text->count : 0;
    while (child->output >= 0) {
        if (ser_search_must_stop(options, reason))
            return false;
        struct pollfd ends[] = {
            {.fd = child->output, .events = POLLIN},
            {.fd = sent < count ? child->input : -1, .events = POLLOUT},
        };
        if (poll(ends, 2, LOOK_MILLISECONDS) <= 0)
            continue;
        if (ends[1].revents)
            write_some(child, text, &sent);
        if (ends[0].revents)
            read_some(child);
        if (ends[0].revents && enough(listener, &child->received))
            return true;
    }
    return true;
}
