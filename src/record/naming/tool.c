/* SPDX-License-Identifier: MIT */
/*
 * Question and answer are memory files, so that neither side can wait for the
 * other.
 */
#include "record/naming/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void ser_tool_add(ser_tool_lines *lines, const char *line)
{
    size_t length = strlen(line);
    ser_vector_reserve(&lines->text, lines->text.count + length + 1);
    memcpy(lines->text.items + lines->text.count, line, length);
    lines->text.items[lines->text.count + length] = '\n';
    lines->text.count += length + 1;
}

const char *ser_tool_next(ser_tool_lines *lines)
{
    if (lines->at >= lines->text.count)
        return NULL;
    char *line = lines->text.items + lines->at;
    char *end = memchr(line, '\n', lines->text.count - lines->at);
    if (!end)
        return NULL;
    *end = '\0';
    lines->at = (size_t)(end - lines->text.items) + 1;
    return line;
}

void ser_tool_lines_fini(ser_tool_lines *lines)
{
    ser_vector_free(&lines->text);
}

static bool write_question(int fd, const ser_tool_lines *ask)
{
    for (size_t done = 0; done < ask->text.count;) {
        ssize_t written = write(fd, ask->text.items + done, ask->text.count - done);
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

static bool read_answer(int fd, ser_tool_lines *answer)
{
    struct stat about;
    if (fstat(fd, &about) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        return false;
    ser_vector_reserve(&answer->text, (size_t)about.st_size + 1);
    ssize_t got;
    while ((got = read(fd, answer->text.items + answer->text.count,
                       (size_t)about.st_size - answer->text.count)) > 0)
        answer->text.count += (size_t)got;
    return got == 0;
}

static bool wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool spawn(char *const command[], int in, int out)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool ready =
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0;
    bool started = ready && posix_spawnp(&child, command[0], &actions, NULL, command, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started && wait_for(child);
}

bool ser_tool_run(char *const command[], const ser_tool_lines *ask, ser_tool_lines *answer)
{
    int in = memfd_create("seriatim-ask", MFD_CLOEXEC);
    int out = memfd_create("seriatim-answer", MFD_CLOEXEC);
    bool done = in >= 0 && out >= 0 && write_question(in, ask) && spawn(command, in, out) &&
                read_answer(out, answer);
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return done;
}
