/* Standard streams are closed, reused by other files, and restored. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *open_many(void *unused)
{
    for (int i = 0; i < 50; i++) {
        int ends[2];
        if (pipe(ends) == 0)
            close(ends[0]), close(ends[1]);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    int saved = dup(1), reused, failed;
    printf("end of input: %d\n", getchar() == EOF);
    fflush(stdout);
    close(0), close(1), close(2);
    pthread_create(&thread, NULL, open_many, NULL);
    pthread_join(thread, NULL);
    reused = open("/dev/null", O_RDONLY);
    failed = write(1, "lost", 4) == -1 && errno == EBADF;
    pthread_create(&thread, NULL, open_many, NULL);
    pthread_join(thread, NULL);
    dup2(saved, 1), dup2(saved, 2);
    printf("%d %d\n", reused, failed);
    return fclose(stdin) * 0 + 11;
}
