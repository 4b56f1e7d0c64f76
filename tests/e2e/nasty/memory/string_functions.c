/* Functions of the C library that read and write memory: strings, numbers, formats.
   unseen: results that the C library writes */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static int good;

static int by_value(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

static void *work(void *argument)
{
    char text[200] = "", copy[200], *rest = NULL, *list;
    int numbers[20], found = 7;
    wchar_t wide[20];
    for (int i = 0; i < 10; i++) {
        sprintf(text + strlen(text), "%d,", i * (int)(long)argument);
        stpcpy(copy, text), strncat(copy, "tail", 3), memmove(copy + 3, copy, strlen(copy) + 1);
        memccpy(text + 150, "abc;def", 59, 8), strncpy(text + 100, copy, 20);
    }
    list = strdup(text);
    int total = 0, at = 0;
    for (char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        numbers[at++ % 20] = (int)strtol(one, NULL, 10);
    qsort(numbers, 10, sizeof *numbers, by_value);
    numbers[3] = found, total += bsearch(&found, numbers, 4, sizeof *numbers, by_value) != NULL;
    total += memmem(text, 150, "3", 1) != NULL,
        total += strchr(text, ',') == text + 1 + ((long)argument > 9);
    mbstowcs(wide, "wide text", 20), wmemset(wide + 4, L'-', 1), wcstombs(copy, wide, 200);
    total += strcmp(copy, "wide-text") == 0, memfrob(copy, 9), total += copy[0] != 'w',
        bzero(copy, 200);
    total += strcspn(list, ",") == 1, total += sscanf("12 ab", "%d %199s", &found, text) == 2,
        total += found == 12;
    free(list);
    __atomic_fetch_add(&good, total, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", good);
}
