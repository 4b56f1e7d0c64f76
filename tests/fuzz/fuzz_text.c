/* SPDX-License-Identifier: MIT */
/* Any bytes as a text trace. */
#include "fuzz.h"
#include "round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_bytes(&ser_format_text, data, size);
    return 0;
}
