/* SPDX-License-Identifier: MIT */
#include "driver/response.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

/* Files that name each other in a circle end here. */
enum { MOST_NESTED = 16 };

typedef SER_VECTOR(char) bytes;

static bool read_file(const char *path, bytes *content)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char buffer[4096];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        for (size_t i = 0; i < count; i++)
            ser_vector_push(content, buffer[i]);
    fclose(file);
    ser_vector_push(content, '\0');
    return true;
}

/* Takes one word off the text; NULL at its end. */
static char *take_word(const char **text)
{
    const char *at = *text;
    while (isspace((unsigned char)*at))
        at++;
    if (!*at)
        return NULL;
    bytes word = {0};
    char quote = '\0';
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (*at == '\\' && at[1] && quote != '\'')
            ser_vector_push(&word, *++at);
        else if (*at == quote)
            quote = '\0';
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
        else
            ser_vector_push(&word, *at);
    }
    *text = at;
    ser_vector_push(&word, '\0');
    return word.items;
}

static void expand_word(ser_response *response, const char *word, int depth)
{
    bytes content = {0};
    if (word[0] != '@' || depth == MOST_NESTED || !read_file(word + 1, &content)) {
        ser_vector_push(response, ser_copy_text(word, strlen(word)));
        return;
    }
    const char *rest = content.items;
    for (char *inner = take_word(&rest); inner; inner = take_word(&rest)) {
        expand_word(response, inner, depth + 1);
        free(inner);
    }
    ser_vector_free(&content);
}

void ser_response_expand(ser_response *response, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expand_word(response, words[i], 0);
}

void ser_response_fini(ser_response *response)
{
    for (size_t i = 0; i < response->count; i++)
        free(response->items[i]);
    ser_vector_free(response);
}
