/* SPDX-License-Identifier: MIT */
/* Any bytes as a class file. What is rewritten must be a class file again, as far as we read it. */
#include <stdlib.h>

#include "fuzz.h"
#include "java/classfile/rewrite.h"

static uint32_t number_site(void *context, const ser_class_site *site)
{
    (void)site;
    return *(uint32_t *)context += 20000; /* soon too large for a short constant */
}

static void pass_over(void *context, ser_class_text class_name, ser_class_text method,
                      const char *why)
{
    (void)context, (void)class_name, (void)method, (void)why;
}

static void learn(void *context, ser_class_fate fate, const ser_class_method *method,
                  const ser_class_method *to)
{
    (void)context;
    if (method->name.length == 0 || (fate == SER_CLASS_PASSED && !to))
        abort();
}

static void read_field(void *context, ser_class_text name, ser_class_text descriptor)
{
    (void)context, (void)name, (void)descriptor;
}

static bool has_outline(const uint8_t *data, size_t size)
{
    ser_class_outline outline = {.field = read_field};
    return ser_class_read_outline(data, size, &outline);
}

static void rewrite(const uint8_t *data, size_t size, ser_class_mode mode)
{
    uint32_t sites = 0;
    ser_class_client client = {&sites, number_site, pass_over, learn};
    ser_bytes out;
    if (ser_class_rewrite(data, size, mode, &client, &out) == SER_CLASS_REWRITTEN &&
        has_outline(data, size) && !has_outline(out.items, out.count))
        abort();
    ser_bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rewrite(data, size, SER_CLASS_WHOLE);
    rewrite(data, size, SER_CLASS_OBJECTS);
    rewrite(data, size, SER_CLASS_CALLS);
    return 0;
}
