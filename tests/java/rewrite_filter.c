/* SPDX-License-Identifier: MIT */
/*
 * The rewriter as a filter. Standard input has classes, each behind its size in four bytes, most
 * significant first; for each the output has an outcome (u unchanged, r rewritten, x refused), the
 * size, and the rewritten class. With files as arguments: `rewrite_filter IN OUT` rewrites one.
 * Methods that are left alone are named on standard error. With --wrong the filter makes classes
 * that are no longer good, to show that the verifier is asked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/classfile/rewrite.h"

static uint32_t number_site(void *context, const ser_class_site *site)
{
    (void)site;
    return ++*(uint32_t *)context;
}

static void name_method(void *context, ser_class_text class_name, ser_class_text method,
                        const char *why)
{
    (void)context;
    fprintf(stderr, "left alone: %.*s.%.*s: %s\n", (int)class_name.length, class_name.bytes,
            (int)method.length, method.bytes, why);
}

static ser_class_outcome rewrite(const uint8_t *bytes, size_t size, ser_bytes *out)
{
    static uint32_t sites;
    ser_class_client client = {&sites, number_site, name_method, NULL};
    return ser_class_rewrite(bytes, size, SER_CLASS_WHOLE, &client, out);
}

static void put_size(size_t size)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        putchar((int)(size >> shift & 0xff));
}

/* `step` returns a value, which nobody takes from the stack. */
static void spoil(ser_bytes *out)
{
    static const char good[] = "step\1\0\3()V";
    uint8_t *found = out->count ? memmem(out->items, out->count, good, sizeof good - 1) : NULL;
    if (found)
        found[sizeof good - 2] = 'J';
}

static int filter(bool wrong)
{
    uint8_t head[4];
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        size_t size = ser_peek_4(head);
        uint8_t *bytes = malloc(size + !size);
        ser_bytes out;
        if (!bytes || fread(bytes, 1, size, stdin) != size)
            return 3;
        putchar("urx"[rewrite(bytes, size, &out)]);
        if (wrong)
            spoil(&out);
        put_size(out.count);
        if (out.count > 0)
            fwrite(out.items, 1, out.count, stdout);
        ser_bytes_free(&out);
        free(bytes);
    }
    return 0;
}

static int rewrite_file(const char *from, const char *to)
{
    enum { LARGEST = 1 << 24 };
    static uint8_t bytes[LARGEST];
    ser_bytes out;
    FILE *file = fopen(from, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file)
        return 3;
    fclose(file);
    ser_class_outcome outcome = rewrite(bytes, size, &out);
    printf("%s\n", (const char *const[]){"unchanged", "rewritten", "refused"}[outcome]);
    file = outcome == SER_CLASS_REWRITTEN ? fopen(to, "wb") : NULL;
    if (file) {
        fwrite(out.items, 1, out.count, file);
        fclose(file);
    }
    ser_bytes_free(&out);
    return outcome == SER_CLASS_REFUSED;
}

int main(int count, char **arguments)
{
    bool wrong = count == 2 && strcmp(arguments[1], "--wrong") == 0;
    return count == 3 ? rewrite_file(arguments[1], arguments[2]) : filter(wrong);
}
