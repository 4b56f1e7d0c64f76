/* SPDX-License-Identifier: MIT */
/* Feeds files to a fuzzer's entry point: `replay FILE...`. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    enum { LARGEST = 1 << 24 };
    uint8_t *bytes = malloc(LARGEST);
    size_t size = bytes ? fread(bytes, 1, LARGEST, file) : 0;
    fclose(file);
    /* A copy of just that size: a sanitizer then sees every byte too many. */
    uint8_t *exact = malloc(size + !size);
    for (size_t i = 0; exact && i < size; i++)
        exact[i] = bytes[i];
    free(bytes);
    if (exact)
        LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return exact == NULL;
}

int main(int count, char **arguments)
{
    int failures = 0;
    for (int i = 1; i < count; i++)
        failures += replay(arguments[i]);
    printf("%d file%s replayed\n", count - 1 - failures, count == 2 ? "" : "s");
    return failures > 0 || count == 1;
}
