/* SPDX-License-Identifier: MIT */
/* Streams that are used by other functions than most: standard input without naming it, calls that
 * take no lock, wide characters; memory that is read in parts. Called by two threads at once, as
 * those of state.c. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;

static void wrong_input(int n)
{
    int first = getchar();
    int second = 0;
    scanf("%d", &second);
    printf("%d %c%d\n", n, first, second);
}

static void correct_input(int n)
{
    char line[8];
    printf("%d %s", n, fgets(line, sizeof line, stdin));
}

static void wrong_unlocked(int n)
{
    pthread_mutex_lock(&lock);
    fputs_unlocked("number ", file);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    fputs_unlocked(n == 1 ? "one\n" : "two\n", file);
    pthread_mutex_unlock(&lock);
}

static void correct_unlocked(int n)
{
    flockfile(file);
    fputs_unlocked("number ", file);
    fputs_unlocked(n == 1 ? "one\n" : "two\n", file);
    funlockfile(file);
}

static void wrong_wide(int n)
{
    fputws(L"<", file);
    fputwc(L'0' + n, file);
}

static void correct_wide(int n)
{
    pthread_mutex_lock(&lock);
    fputws(L"<", file);
    fputwc(L'0' + n, file);
    pthread_mutex_unlock(&lock);
}

static char head[4] = "abc", body[4] = "abc";

/* All parts in one call. */
static void receive(void)
{
    struct iovec parts[] = {{head, sizeof head}, {body, sizeof body}};
    int zeros = open("/dev/zero", O_RDONLY);
    pthread_mutex_lock(&lock);
    readv(zeros, parts, 2);
    pthread_mutex_unlock(&lock);
    close(zeros);
}

static void look(int is_wrong)
{
    pthread_mutex_lock(&lock);
    char first = head[0];
    if (is_wrong) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    char second = body[0];
    pthread_mutex_unlock(&lock);
    printf("%s\n", first == second ? "whole" : "torn");
}

static void wrong_parts(int n)
{
    if (n == 1)
        receive();
    else
        look(1);
}

static void correct_parts(int n)
{
    if (n == 1)
        receive();
    else
        look(0);
}

static const struct {
    const char *name;
    void (*function)(int);
} kinds[] = {
    {"wrong_input", wrong_input},       {"correct_input", correct_input},
    {"wrong_unlocked", wrong_unlocked}, {"correct_unlocked", correct_unlocked},
    {"wrong_wide", wrong_wide},         {"correct_wide", correct_wide},
    {"wrong_parts", wrong_parts},       {"correct_parts", correct_parts},
};
static void (*chosen)(int);

static void *work(void *number)
{
    chosen((int)(long)number);
    return NULL;
}

/* It uses the streams before the threads do, which share them from their first call on. */
static void prepare(int is_wide)
{
    file = fopen("numbers", "w");
    fputs("0\na1\nb2\n", file);
    fclose(file);
    stdin = freopen("numbers", "r", stdin);
    file = fopen("out.txt", "w");
    if (getchar() == '0' && getchar() == '\n' && is_wide)
        fputwc(L'=', file);
    else
        fputs_unlocked("numbers:\n", file);
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0)
            chosen = kinds[i].function;
    prepare(chosen == wrong_wide || chosen == correct_wide);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
