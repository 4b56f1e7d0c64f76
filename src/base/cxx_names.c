/* SPDX-License-Identifier: MIT */
#include "base/cxx_names.h"

#include <ctype.h>
#include <string.h>

/*
 * The list is the last pair of parentheses, unless a scope follows, as it does in
 * "(anonymous namespace)::f", or the arguments of a template end behind it, as in
 * "update<(lambda at box.cc:3:5)>"; "const", "&&" and the like may follow.
 */
size_t ser_length_without_parameters(const char *name)
{
    const char *close = strrchr(name, ')');
    if (!close || strstr(close, "::") || strchr(close, '>'))
        return strlen(name);
    int depth = 0;
    for (const char *at = close; at >= name; at--) {
        if (*at == ')')
            depth++;
        else if (*at == '(' && --depth == 0)
            return (size_t)(at - name);
    }
    return strlen(name);
}

bool ser_is_reserved_name(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

void ser_drop_abi_tags(char *name)
{
    for (char *tag = name; (tag = strstr(tag, "[abi:"));) {
        const char *rest = tag + strcspn(tag, "]");
        rest += *rest == ']';
        memmove(tag, rest, strlen(rest) + 1);
    }
}
