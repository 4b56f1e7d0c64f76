/* SPDX-License-Identifier: MIT */
/* Objects with a count of references, one after the other at the same address: what is allocated
 * next gets the memory that was freed last. */
#include <pthread.h>
#include <stdlib.h>

struct object {
    int references, value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *current;

static struct object *make(int value)
{
    struct object *object = malloc(sizeof *object);
    object->references = 1;
    object->value = value;
    return object;
}

static void put(struct object *object)
{
    pthread_mutex_lock(&lock);
    int is_last = --object->references == 0;
    pthread_mutex_unlock(&lock);
    if (is_last)
        free(object);
}

static struct object *get(void)
{
    pthread_mutex_lock(&lock);
    struct object *object = current;
    object->references++;
    pthread_mutex_unlock(&lock);
    return object;
}

static void replace(int value)
{
    struct object *object = make(value);
    pthread_mutex_lock(&lock);
    struct object *old = current;
    current = object;
    pthread_mutex_unlock(&lock);
    put(old);
}

static void *read_values(void *sum)
{
    for (int i = 0; i < 3; i++) {
        struct object *object = get();
        *(int *)sum += object->value;
        put(object);
    }
    return NULL;
}

static void *replace_values(void *unused)
{
    for (int i = 0; i < 3; i++)
        replace(i + 2);
    return unused;
}

int main(void)
{
    pthread_t reader, writer;
    int sum = 0;
    current = make(1);
    pthread_create(&reader, NULL, read_values, &sum);
    pthread_create(&writer, NULL, replace_values, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    put(current);
    return sum < 3;
}
