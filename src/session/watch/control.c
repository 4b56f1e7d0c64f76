/* SPDX-License-Identifier: MIT */
/*
 * Names of sockets are short: the folder is opened, and reached through its descriptor.
 */
#include "session/watch/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output/log.h"
#include "base/output/print.h"

struct ser_control {
    int folder, listener, client; /* -1: none */
};

static const char NAME[] = "control";

/* A new socket, and the address of that of the folder. -1: there is none. */
static int make_socket(int folder, struct sockaddr_un *address, int flags)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", folder, NAME);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
}

/* Connected to the watcher of a folder; -1 if there is none. */
static int reach(int folder)
{
    struct sockaddr_un address;
    int connection = make_socket(folder, &address, 0);
    if (connection >= 0 &&
        connect(connection, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(connection);
        return -1;
    }
    return connection;
}

static int open_folder(const char *path)
{
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void listen_in(ser_control *control)
{
    struct sockaddr_un address;
    control->listener = make_socket(control->folder, &address, SOCK_NONBLOCK);
    unlinkat(control->folder, NAME, 0); /* of a watcher that was killed */
    if (control->listener >= 0 &&
        (bind(control->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
         listen(control->listener, 8) != 0)) {
        ser_warning("no commands can be taken (seriatim watch --tell): %s", strerror(errno));
        close(control->listener);
        control->listener = -1;
    }
}

ser_status ser_control_open(ser_control **control, const char *folder, ser_error *error)
{
    *control = ser_alloc(1, sizeof **control);
    **control = (ser_control){open_folder(folder), -1, -1};
    int other = reach((*control)->folder);
    if (other < 0) {
        listen_in(*control);
        return SER_OK;
    }
    close(other);
    close((*control)->folder);
    free(*control);
    *control = NULL;
    return ser_fail(error, SER_INPUT,
                    "another seriatim watch writes to %s; name another folder (-o)", folder);
}

void ser_control_close(ser_control *control)
{
    if (!control)
        return;
    if (control->listener >= 0) {
        unlinkat(control->folder, NAME, 0);
        close(control->listener);
    }
    close(control->folder);
    free(control);
}

/* What the other side has sent, up to a line feed, within a moment. */
static bool read_word(int client, char word[SER_CONTROL_WORD])
{
    const struct timeval moment = {.tv_usec = 200000};
    size_t length = 0;
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
    while (length < SER_CONTROL_WORD) {
        ssize_t got = recv(client, word + length, SER_CONTROL_WORD - length, 0);
        if (got <= 0)
            return false;
        length += (size_t)got;
        char *end = memchr(word, '\n', length);
        if (end) {
            *end = '\0';
            return true;
        }
    }
    return false;
}

bool ser_control_next(ser_control *control, char word[SER_CONTROL_WORD])
{
    if (control->listener < 0)
        return false;
    control->client = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);
    if (control->client < 0)
        return false;
    if (read_word(control->client, word))
        return true;
    close(control->client);
    return false;
}

void ser_control_answer(ser_control *control, const char *text)
{
    ssize_t sent = send(control->client, text, strlen(text), MSG_NOSIGNAL);
    (void)sent; /* who does not wait for the answer gets none */
    close(control->client);
}

ser_status ser_control_tell(const char *folder, const char *word, ser_error *error)
{
    char text[256];
    int place = open_folder(folder), connection = place < 0 ? -1 : reach(place);
    if (place >= 0)
        close(place);
    if (connection < 0)
        return ser_fail(error, SER_INPUT,
                        "no seriatim watch writes to %s; name its output folder with -o", folder);
    snprintf(text, sizeof text, "%s\n", word);
    ssize_t sent = send(connection, text, strlen(text), MSG_NOSIGNAL);
    ssize_t got = sent > 0 ? recv(connection, text, sizeof text, MSG_WAITALL) : 0;
    close(connection);
    if (got <= 0)
        return ser_fail(error, SER_INPUT, "the watcher has ended without an answer");
    ser_print(stdout, "%.*s\n", (int)got, text);
    return SER_OK;
}
