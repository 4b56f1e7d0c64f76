/* What the C library keeps, and what it does with memory that threads share: each pair of functions
 * is called by two threads at once, and must not, or may, be interrupted. The argument selects it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static int value;
static char name[16] = "a", label[16] = "a";

static void enter(void)
{
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
}

static void between(int is_wrong)
{
    if (is_wrong) {
        leave();
        enter();
    }
}

/* Where a stream is. */
static void wrong_line(int n)
{
    fprintf(file, "<%d", n);
    fprintf(file, "%d>\n", n);
}

static void correct_line(int n)
{
    flockfile(file);
    fprintf(file, "<%d", n);
    fprintf(file, "%d>\n", n);
    funlockfile(file);
}

static void seek(int n, int is_wrong)
{
    char two[3] = "";
    enter();
    fseek(file, 2L * n, SEEK_SET);
    between(is_wrong);
    if (fread(two, 1, 2, file) == 2)
        puts(two);
    leave();
}

static void wrong_seek(int n)
{
    seek(n, 1);
}

static void correct_seek(int n)
{
    seek(n, 0);
}

/* One call is one step, whatever it writes. */
static void correct_call(int n)
{
    fprintf(file, "%d %d %d\n", n, n, n);
}

/* Printing in any order is right. */
static void correct_print(int n)
{
    printf("%d", n);
    printf("\n");
    fputs("printed\n", stdout);
}

static void wrong_split(int n)
{
    char text[] = "a b";
    const char *first = strtok(text, " "), *second = strtok(NULL, " ");
    printf("%d %s %s\n", n, first, second ? second : "");
}

static void correct_split(int n)
{
    char text[] = "a b", *rest;
    const char *first = strtok_r(text, " ", &rest), *second = strtok_r(NULL, " ", &rest);
    printf("%d %s %s\n", n, first, second);
}

static void scan(int n, int is_wrong)
{
    char text[16];
    enter();
    snprintf(text, sizeof text, "%d", value);
    between(is_wrong);
    snprintf(text, sizeof text, "%d", atoi(text) + n);
    sscanf(text, "%d", &value);
    leave();
}

static void wrong_scan(int n)
{
    scan(n, 1);
}

static void correct_scan(int n)
{
    scan(n, 0);
}

/* Strings that are printed are read. */
static void show(int n, int is_wrong)
{
    enter();
    if (n == 1)
        strcpy(name, "b");
    else
        printf("%s ", name);
    between(is_wrong);
    if (n == 1)
        strcpy(label, "b");
    else
        printf("%s\n", label);
    leave();
}

static void wrong_show(int n)
{
    show(n, 1);
}

static void correct_show(int n)
{
    show(n, 0);
}

static void wrong_date(int n)
{
    time_t when = n * 40000000L;
    const struct tm *date = gmtime(&when);
    int year = date->tm_year, day = date->tm_yday;
    printf("%d %d\n", year, day);
}

static void correct_date(int n)
{
    time_t when = n * 40000000L;
    struct tm date;
    gmtime_r(&when, &date);
    printf("%d %d\n", date.tm_year, date.tm_yday);
}

static void count(int n, int is_wrong)
{
    char text[16];
    enter();
    const char *old = getenv("COUNT");
    snprintf(text, sizeof text, "%d", n + (old ? atoi(old) : 0));
    between(is_wrong);
    setenv("COUNT", text, 1);
    leave();
}

static void wrong_count(int n)
{
    count(n, 1);
}

static void correct_count(int n)
{
    count(n, 0);
}

/* What runs once belongs to none of those that need it. */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin(void)
{
    value = 100;
}

static void correct_once(int n)
{
    pthread_once(&once, begin);
    enter();
    value += n;
    leave();
}

static const struct {
    const char *name;
    void (*function)(int);
} kinds[] = {
    {"wrong_line", wrong_line},     {"correct_line", correct_line},
    {"wrong_seek", wrong_seek},     {"correct_seek", correct_seek},
    {"correct_call", correct_call}, {"correct_print", correct_print},
    {"wrong_split", wrong_split},   {"correct_split", correct_split},
    {"wrong_scan", wrong_scan},     {"correct_scan", correct_scan},
    {"wrong_show", wrong_show},     {"correct_show", correct_show},
    {"wrong_date", wrong_date},     {"correct_date", correct_date},
    {"wrong_count", wrong_count},   {"correct_count", correct_count},
    {"correct_once", correct_once},
};

static void (*chosen)(int);

static void *work(void *number)
{
    chosen((int)(long)number);
    return NULL;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0)
            chosen = kinds[i].function;
    file = tmpfile();
    if (!chosen || !file)
        return 2;
    fputs("abcdefgh", file);
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fclose(file);
    return 0;
}
