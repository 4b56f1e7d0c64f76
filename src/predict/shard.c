/* SPDX-License-Identifier: MIT */
#include "predict/shard.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Digits alone, without a sign or a blank. */
static bool parse_number(const char **text, uint32_t *number)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    unsigned long value = strtoul(*text, &end, 10);
    *text = end;
    *number = (uint32_t)value;
    return value >= 1 && value <= SER_MOST_SHARDS;
}

static bool parse_pair(const char *text, ser_shard *shard)
{
    return parse_number(&text, &shard->number) && *text++ == '/' &&
           parse_number(&text, &shard->of) && *text == '\0' && shard->number <= shard->of;
}

ser_status ser_shard_parse(ser_shard *shard, const char *option, const char *text, ser_error *error)
{
    *shard = (ser_shard){0};
    if (!text || parse_pair(text, shard))
        return SER_OK;
    return ser_fail(error, SER_USAGE,
                    "--%s %s: a %s is K/N, such as 3/8, with K from 1 to N and N at most %d",
                    option, text, strcmp(option, "shard") == 0 ? "shard" : "part", SER_MOST_SHARDS);
}
