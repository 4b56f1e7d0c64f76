/* SPDX-License-Identifier: MIT
 *
 * stringbuffer: `append` copies one buffer to the end of another, as Java's StringBuffer
 * did. All its methods are locked, and append holds the lock of its own buffer all the time.
 *
 * But it asks the other buffer for its length, and then for its characters: two objects, two
 * critical sections of the other. If that is cut short between them, append asks for
 * characters that are no longer there.
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

static int length_of(struct buffer *buffer)
{
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length;
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

static bool copy_out(struct buffer *buffer, char *target, int length)
{
    pthread_mutex_lock(&buffer->lock);
    bool there = length <= buffer->length;
    for (int i = 0; there && i < length; i++)
        target[i] = buffer->text[i];
    pthread_mutex_unlock(&buffer->lock);
    return there;
}

static bool append(struct buffer *buffer, struct buffer *other)
{
    pthread_mutex_lock(&buffer->lock);
    int length = length_of(other);
    bool copied = copy_out(other, buffer->text + buffer->length, length);
    if (copied)
        buffer->length += length;
    pthread_mutex_unlock(&buffer->lock);
    return copied;
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
