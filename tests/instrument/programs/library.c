/* SPDX-License-Identifier: MIT */
/* What functions of the C library access by their formats and results, and what they keep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char word[32] = "word", other[32] = "some other", key[] = "k=v";
static int number = 7, more;
static long big;
static double real;
static char *line;
static size_t room;

__attribute__((noinline)) static void print(const char *nothing)
{
    printf("%d %s %.3s|%.*s %%\n", number, word, other, 5, other);
    printf("%s\n", nothing ? nothing : "(none)");
    printf("%-9s%c%5.1f\n", other, 'c', 2.5);
    snprintf(word, sizeof word, "%s", "new");
}
/* LOG: ^range_read5 word in print at library.c:17 */
/* LOG: ^range_read3 other in print at library.c:17 */
/* LOG: ^range_read5 other in print at library.c:17 */
/* LOG: ^range_read11 other in print at library.c:19 */
/* LOG: ^range_written4 word in print at library.c:20 */
/* NOT: outside.*print */

__attribute__((noinline)) static void scan(void)
{
    int got = sscanf("12 -3 4.5 text 9", "%d %*d %lf %31s", &number, &real, word);
    got += sscanf("8 x", "%ld %d", &big, &more);
    printf("%d %d %g %s %ld\n", got, number, real, word, big);
}
/* LOG: ^range_written4 number in scan at library.c:31 */
/* LOG: ^range_written8 real in scan at library.c:31 */
/* LOG: ^range_written5 word in scan at library.c:31 */
/* LOG: ^range_written8 big in scan at library.c:32 */
/* NOT: ^range_written[1-9][0-9]* more in scan */

__attribute__((noinline)) static void keep(void)
{
    char *first = strtok(key, "=");
    setenv("LIBRARY_TEST", "1", 1);
    time_t zero = 0;
    struct tm *epoch = gmtime(&zero);
    printf("%s %s %d\n", first, getenv("LIBRARY_TEST"), epoch->tm_year);
}
/* LOG: ^hidden_read0 . in keep at library.c:43 */
/* LOG: ^hidden_write0 . in keep at library.c:43 */
/* LOG: ^hidden_write1 . in keep at library.c:44 */
/* LOG: ^range_written56 . in keep at library.c:46 */
/* LOG: ^hidden_read1 . in keep at library.c:47 */

__attribute__((noinline)) static void spans(void)
{
    size_t digits = strspn(other, "so");
    char *copied = memccpy(word, other, 'e', 11);
    printf("%zu %d\n", digits, (int)(copied - word));
}
/* LOG: ^range_read3 other in spans at library.c:57 */
/* LOG: ^range_read4 other in spans at library.c:58 */
/* LOG: ^range_written4 word in spans at library.c:58 */

__attribute__((noinline)) static void use_file(FILE *file)
{
    fprintf(file, "%s\n", other);
    rewind(file);
    long got = getline(&line, &room, file);
    printf("%ld %s", got, line);
    fclose(file);
    free(line);
}
/* LOG: ^at0 \*file in use_file at library.c:67 data modifies */
/* LOG: ^at0 \*file in use_file at library.c:68$ */
/* LOG: ^range_written12 . in use_file at library.c:69 */

#include <grp.h>

/* There may be no result to look at. */
__attribute__((noinline)) static void look_up(const char *name)
{
    struct group *found = getgrnam(name);
    printf("%s\n", found ? found->gr_name : "none");
}
/* ORDER: ^range_written32 . in look_up at library.c:83 */
/* ORDER: ^range_written0 . in look_up at library.c:83 */

int main(void)
{
    look_up("root");
    look_up("no such group");
    print(NULL);
    scan();
    keep();
    spans();
    use_file(tmpfile());
    return 0;
}
