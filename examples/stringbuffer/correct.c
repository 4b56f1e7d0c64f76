/* SPDX-License-Identifier: MIT
 *
 * stringbuffer, the correct twin: `append` holds the locks of both buffers over both steps.
 *
 * Blocks: locks
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct buffer {
    pthread_mutex_t lock;
    int length;
    char text[32];
};

static void init(struct buffer *buffer, const char *text)
{
    pthread_mutex_init(&buffer->lock, NULL);
    buffer->length = (int)strlen(text);
    for (int i = 0; i < buffer->length; i++)
        buffer->text[i] = text[i];
}

static void truncate_to(struct buffer *buffer, int length)
{
    pthread_mutex_lock(&buffer->lock);
    buffer->length = length;
    pthread_mutex_unlock(&buffer->lock);
}

static bool append(struct buffer *buffer, struct buffer *other)
{
    pthread_mutex_lock(&buffer->lock);
    pthread_mutex_lock(&other->lock);
    for (int i = 0; i < other->length; i++)
        buffer->text[buffer->length + i] = other->text[i];
    buffer->length += other->length;
    pthread_mutex_unlock(&other->lock);
    pthread_mutex_unlock(&buffer->lock);
    return true;
}

struct writer {
    pthread_t thread;
    struct buffer own;
    struct buffer *cuts, *copies;
    bool copied;
};

static void *work(void *argument)
{
    struct writer *writer = argument;
    truncate_to(writer->cuts, 3);
    writer->copied = append(&writer->own, writer->copies);
    return NULL;
}

int main(void)
{
    static struct buffer day, month;
    init(&day, "Monday");
    init(&month, "January");
    struct writer writers[] = {{.cuts = &day, .copies = &month}, {.cuts = &month, .copies = &day}};
    for (int i = 0; i < 2; i++) {
        init(&writers[i].own, "It is ");
        pthread_create(&writers[i].thread, NULL, work, &writers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(writers[i].thread, NULL);
    for (int i = 0; i < 2; i++)
        puts(writers[i].copied ? "copied" : "index out of range");
    return 0;
}
