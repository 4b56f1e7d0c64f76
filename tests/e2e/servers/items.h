/* SPDX-License-Identifier: MIT */
/*
 * items.h - a handler of memcached's shape: the value is text in an item, which is replaced by a
 * larger one when it grows. An update is lost only if another request replaces the item between
 * find and add; two requests that begin at once do not do that, since both find the one that is
 * replaced by the second, which is the last to add.
 */
#include "server.h"

typedef struct item {
    size_t room;
    char text[24];
} item;

static item *current;

static item *make(int value)
{
    item *made = calloc(1, sizeof *made);
    made->room = (size_t)snprintf(made->text, sizeof made->text, "%d", value);
    return made;
}

static item *find(void)
{
    pthread_mutex_lock(&lock);
    item *found = current = current ? current : make(85);
    pthread_mutex_unlock(&lock);
    return found;
}

static int add(item *to, int number)
{
    pthread_mutex_lock(&lock);
    int sum = atoi(to->text) + number;
    if (snprintf(0, 0, "%d", sum) > (int)to->room)
        current = make(sum); /* the old one stays: others may have found it */
    else
        snprintf(to->text, sizeof to->text, "%d", sum);
    counter = atoi(current->text);
    pthread_mutex_unlock(&lock);
    return sum;
}

__attribute__((unused)) static void handle_item(int connection, const char *request)
{
    char reply[32];
    item *found = find();
    int length = snprintf(reply, sizeof reply, "%d\n", add(found, atoi(request)));
    if (send(connection, reply, (size_t)length, MSG_NOSIGNAL) != length)
        perror("send");
}
