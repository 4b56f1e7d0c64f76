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

#include "base/clock.h"
#include "base/memory.h"
#include "base/output/log.h"
#include "base/output/print.h"

/* How long a client may take to say its word, in seconds. Nobody else is heard meanwhile, but the
 * program goes on. */
static const double PATIENCE = 0.5;

/* For an answer: while the analysis is behind, the watcher waits for it. */
static const struct timeval LONG_WAIT = {.tv_sec = 30};

struct ser_control {
    int folder, listener, client; /* -1: none */
    char word[SER_CONTROL_WORD];  /* what the client has sent so far */
    size_t length;
    double since; /* when it came */
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
    **control = (ser_control){.folder = open_folder(folder), .listener = -1, .client = -1};
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

static void dismiss(ser_control *control)
{
    close(control->client);
    control->client = -1;
}

void ser_control_close(ser_control *control)
{
    if (!control)
        return;
    if (control->listener >= 0) {
        unlinkat(control->folder, NAME, 0);
        close(control->listener);
    }
    if (control->client >= 0)
        dismiss(control);
    close(control->folder);
    free(control);
}

static bool has_client(ser_control *control)
{
    if (control->client >= 0)
        return true;
    if (control->listener < 0)
        return false;
    control->client = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    control->length = 0;
    control->since = ser_clock_now();
    return control->client >= 0;
}

/* Takes what the client has sent, up to a line feed. The word is its own when that has come. */
static bool hear_out(ser_control *control)
{
    size_t room = sizeof control->word - control->length;
    ssize_t got = recv(control->client, control->word + control->length, room, 0);
    bool waits = got < 0 && (errno == EAGAIN || errno == EINTR);
    control->length += got > 0 ? (size_t)got : 0;
    char *end = memchr(control->word, '\n', control->length);
    if (end)
        *end = '\0';
    else if ((!waits && got <= 0) || control->length == sizeof control->word ||
             ser_clock_now() - control->since > PATIENCE)
        dismiss(control);
    return end != NULL;
}

bool ser_control_next(ser_control *control, char word[SER_CONTROL_WORD])
{
    while (has_client(control)) {
        if (hear_out(control)) {
            memcpy(word, control->word, SER_CONTROL_WORD);
            return true;
        }
        if (control->client >= 0)
            return false;
    }
    return false;
}

void ser_control_answer(ser_control *control, const char *text)
{
    ssize_t sent = send(control->client, text, strlen(text), MSG_NOSIGNAL);
    (void)sent; /* who does not wait for the answer gets none */
    dismiss(control);
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
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &LONG_WAIT, sizeof LONG_WAIT);
    ssize_t sent = send(connection, text, strlen(text), MSG_NOSIGNAL);
    ssize_t got = sent > 0 ? recv(connection, text, sizeof text, MSG_WAITALL) : 0;
    bool is_stuck = got < 0 && errno == EAGAIN;
    close(connection);
    if (is_stuck)
        return ser_fail(error, SER_INPUT, "the watcher of %s does not answer", folder);
    if (got <= 0)
        return ser_fail(error, SER_INPUT, "the watcher has ended without an answer");
    ser_print(stdout, "%.*s\n", (int)got, text);
    return SER_OK;
}
