/* SPDX-License-Identifier: MIT */
#include "record/naming/managed.h"

#include <stdio.h>

#include "contract/managed.h"

/* As Object.toString has it. */
static void say_object(const ser_definitions *definitions, uint32_t identity, ser_label_text *text)
{
    char number[16];
    const char *name = ser_definitions_class(definitions, identity);
    snprintf(number, sizeof number, "@%x", identity);
    ser_label_say(text, name ? name : "?");
    ser_label_say(text, number);
}

static const char *without_class(const char *field)
{
    const char *dot = strrchr(field, '.');
    return dot ? dot + 1 : field;
}

void ser_managed_say(const ser_definitions *definitions, uint64_t address, const char *name,
                     ser_label_text *text)
{
    uint32_t identity = ser_managed_identity(address);
    uint64_t number = ser_managed_number(address);
    if (identity == 0) {
        ser_label_say(text, name ? name : "?");
        return;
    }
    say_object(definitions, identity, text);
    if (!ser_managed_is_field(address)) {
        ser_label_say(text, "[");
        ser_label_number(text, number);
        ser_label_say(text, "]");
    } else if (number > SER_MANAGED_WHOLE) {
        ser_label_say(text, "{key ");
        ser_label_number(text, number - SER_MANAGED_WHOLE);
        ser_label_say(text, "}");
    } else if (number < SER_MANAGED_WHOLE && name) {
        ser_label_say(text, ".");
        ser_label_say(text, without_class(name));
    }
}
