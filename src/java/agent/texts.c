/* SPDX-License-Identifier: MIT */
#include "java/agent/texts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash;
}

static ser_text_entry *slot_of(const ser_texts *texts, const char *text)
{
    uint32_t at = hash_of(text) & (texts->room - 1);
    while (texts->entries[at].text && strcmp(texts->entries[at].text, text) != 0)
        at = (at + 1) & (texts->room - 1);
    return &texts->entries[at];
}

static bool make_room(ser_texts *texts)
{
    enum { FIRST_ROOM = 1024 };
    if (texts->count * 2 < texts->room)
        return true;
    ser_texts larger = {.room = texts->room ? texts->room * 2 : FIRST_ROOM, .count = texts->count};
    larger.entries = calloc(larger.room, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (uint32_t i = 0; i < texts->room; i++)
        if (texts->entries[i].text)
            *slot_of(&larger, texts->entries[i].text) = texts->entries[i];
    free(texts->entries);
    *texts = larger;
    return true;
}

const ser_text_entry *ser_texts_add(ser_texts *texts, const char *text)
{
    if (!make_room(texts))
        return NULL;
    ser_text_entry *slot = slot_of(texts, text);
    if (!slot->text) {
        char *copy = strdup(text);
        if (!copy)
            return NULL;
        *slot = (ser_text_entry){copy, ++texts->count};
    }
    return slot;
}

const ser_text_entry *ser_texts_find(const ser_texts *texts, const char *text)
{
    const ser_text_entry *slot = texts->room ? slot_of(texts, text) : NULL;
    return slot && slot->text ? slot : NULL;
}

const char *ser_texts_at(const ser_texts *texts, uint32_t number)
{
    for (uint32_t i = 0; i < texts->room; i++)
        if (texts->entries[i].text && texts->entries[i].number == number)
            return texts->entries[i].text;
    return NULL;
}
