/* SPDX-License-Identifier: MIT */
/* Copies, and functions of the C library that access the program's memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct big {
    int numbers[32];
};

static struct big left, right;
static char text[64], more[64];
static const char fixed[] = "constant";
static volatile int eight = 8;

__attribute__((noinline)) static int sum_copy(struct big copy)
{
    return copy.numbers[3] + copy.numbers[4];
}
/* NOT: in sum_copy */

static int through_pipe(void)
{
    int ends[2];
    char scratch[16];
    if (pipe(ends) != 0)
        return -1;
    long sent = write(ends[1], text, 5), got = read(ends[0], more, sizeof more);
    sent += write(ends[1], "secret", 6);
    got += read(ends[0], scratch, sizeof scratch);
    printf("%ld %ld %.4s %d\n", sent, got, more, memcmp(scratch, "secret", 6));
    close(ends[0]);
    close(ends[1]);
    return 0;
}
/* LOG: ^range_read5 text in through_pipe */
/* LOG: ^range_written5 more in through_pipe */

int main(void)
{
    struct big local;
    memset(&local, 0, sizeof local);
    local.numbers[3] = 4;
    memset(&right, 1, sizeof right);
    left = right;
    right = local;
    local = left;
    memmove(text + 1, fixed, (size_t)eight);
    text[0] = 'a';
    strcpy(more, text);
    strcat(more, "tail");
    strncpy(text + 20, more, 6);
    char *copy = strdup(more), *found = strchr(more, 't');
    printf("%s %zu %d %d %s\n", more, strlen(more + (eight & 1)), strcmp(text, more),
           memcmp(text, more, (size_t)eight), copy);
    int printed = snprintf(text, 4, "%d", eight * 12345);
    printf("%d %s %s %d\n", printed, text, found, local.numbers[3] == 0x01010101);
    printf("%d\n", sum_copy(right) + sum_copy(left));
    free(copy);
    return through_pipe();
}
/* LOG: ^memset128 (numbers of )?right in main */
/* LOG: ^memcpy128 (numbers of )?left in main */
/* LOG: ^store_n(112|128) (numbers of )?right in main */
/* LOG: ^load_n(112|128) (numbers of )?left in main */
/* LOG: ^store_n8 text in main */
/* LOG: ^range_read10 text in main at ranges.c:51 */
/* LOG: ^range_written10 more in main at ranges.c:51 */
/* LOG: ^range_written5 more in main at ranges.c:52 */
/* LOG: ^range_read6 more in main at ranges.c:53 */
/* LOG: ^range_written6 text in main at ranges.c:53 */
/* LOG: ^range_read6 more in main at ranges.c:54 */
/* LOG: ^range_written14 \? in main at ranges.c:54 */
/* LOG: ^range_written4 text in main at ranges.c:57 */
/* LOG: ^(load_n|range_read)128 (numbers of right|\?) in main at ranges.c:59 */
/* NOT: fixed|range.* local|scratch in */
