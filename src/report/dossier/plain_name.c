/* SPDX-License-Identifier: MIT */
/*
 * One recorded name as a programmer would write it. docs/recording.md has the forms of recorded
 * names. The last parenthesis or what follows ", " or " in " says where the member is; " of " ends
 * the member's own name.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/cxx_names.h"
#include "report/dossier/plain_names.h"

/* Pieces of a recorded name; pointers into it. */
typedef struct pieces {
    const char *member; /* "balance" */
    size_t member_length;
    const char *type; /* "account"; empty if not known */
    size_t type_length;
    const char *place; /* "alice", "tellers", "bank.c:12 (3rd)" */
    size_t place_length;
    const char *offset; /* "40"; empty if there is none */
    size_t offset_length;
    bool is_heap;
} pieces;

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* "struct account", "class bank::Account", "struct std::pair": without the first word, and without
 * the library's name space. */
static void split_type(pieces *made, const char *text, size_t length)
{
    static const char *const words[] = {"struct ", "class ", "union ", "std::", "__cxx11::"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t skip = strlen(words[i]);
        if (length > skip && strncmp(text, words[i], skip) == 0) {
            text += skip;
            length -= skip;
        }
    }
    made->type = text;
    made->type_length = length;
}

/* "member of type" */
static bool split_member(pieces *made, const char *text, size_t length)
{
    static const char of[] = " of ";
    const char *found = memmem(text, length, of, sizeof of - 1);
    if (!found || found == text)
        return false;
    made->member = text;
    made->member_length = (size_t)(found - text);
    found += sizeof of - 1;
    split_type(made, found, (size_t)(text + length - found));
    return true;
}

/* Without "+16" at its end. */
static size_t without_offset(const char *variable, size_t length)
{
    size_t end = length;
    while (end > 0 && isdigit((unsigned char)variable[end - 1]))
        end--;
    return end > 1 && end < length && variable[end - 1] == '+' ? end - 1 : length;
}

size_t ser_own_name_length(const char *variable)
{
    size_t length = strlen(variable);
    for (size_t i = 1; i + 1 < length; i++) {
        bool is_member = variable[i - 1] == '.' || (i > 1 && variable[i - 1] == '>');
        if (is_member && ser_is_reserved_name(variable + i))
            return without_offset(variable, i - (variable[i - 1] == '.' ? 1 : 2));
    }
    return length;
}

/* "_M_cur of struct S (p.q+16)": p.q._M_cur, or p.q+16._M_cur. The path is of that length. */
static char *name_library_member(const char *name, const char *path, size_t length, bool exact)
{
    const char *of = strstr(name, " of ");
    char *text = NULL;
    if (!of || of > path || !ser_is_reserved_name(name))
        return NULL;
    if (!exact)
        length = (size_t)((const char *)memrchr(path, '+', length) - path);
    if (asprintf(&text, "%.*s.%.*s", (int)length, path, (int)(of - name), name) < 0)
        ser_out_of_memory(0);
    return text;
}

/* "main::slots[3].count". Takes the path over. */
static char *qualify(const char *function, int length, char *path)
{
    char *text = NULL;
    if (asprintf(&text, "%.*s::%s", length, function, path) < 0)
        ser_out_of_memory(0);
    free(path);
    return text;
}

/* " in slots of Pool::main() in T0": the function, of that length. NULL: it is none of a local. */
static const char *function_of_local(const char *in, int *length)
{
    const char *of = strstr(in, " of "), *end = strstr(in, "() in T");
    if (!of || !end || end <= of)
        return NULL;
    of += sizeof " of " - 1;
    *length = (int)(end - of);
    return of;
}

/* "F of struct S (slots[3].count)", perhaps with " in slots of main() in T0" behind it: what is in
 * the parentheses; if it is to be exact, with the function. NULL if there is no such path. */
static char *name_by_path(const char *name, bool exact)
{
    const char *open = strstr(name, " ("), *in = strstr(name, ") in ");
    const char *close = in ? in : name + strlen(name) - 1;
    if (!open || open == name || close <= open + 2 || *close != ')')
        return NULL;
    open += 2;
    size_t length = (size_t)(close - open);
    bool is_path = isalpha((unsigned char)*open) || *open == '_';
    for (size_t i = 0; i < length; i++)
        is_path &= isalnum((unsigned char)open[i]) || strchr("_.[]:+", open[i]);
    const char *plus = memrchr(open, '+', length);
    bool has_step = memchr(open, '[', length) || memchr(open, '.', length);
    bool is_offset = plus && !memchr(open, '[', length); /* "accounts+40": the type is not known */
    if (!is_path || !has_step)
        return NULL;
    char *path =
        is_offset ? name_library_member(name, open, length, exact) : ser_copy_text(open, length);
    int function_length;
    const char *function = in && exact && path ? function_of_local(in, &function_length) : NULL;
    return function ? qualify(function, function_length, path) : path;
}

/* "F of struct S (alice+40)" */
static bool split_global(const char *name, pieces *made)
{
    size_t length = strlen(name);
    const char *open = strrchr(name, '(');
    if (!open || open < name + 2 || open[-1] != ' ' || name[length - 1] != ')' ||
        !split_member(made, name, (size_t)(open - 1 - name)))
        return false;
    made->place = open + 1;
    made->place_length = (size_t)(name + length - 1 - made->place);
    const char *plus = memrchr(made->place, '+', made->place_length);
    if (plus > made->place && digits_at(plus + 1) == (size_t)(name + length - 1 - plus - 1)) {
        made->offset = plus + 1;
        made->offset_length = digits_at(plus + 1);
        made->place_length = (size_t)(plus - made->place);
    }
    return made->place_length > 0 && !isdigit((unsigned char)*made->place) && *made->place != '+';
}

/* Takes " (+24)" off the end of the text in front of a separator. */
static size_t split_offset(pieces *made, const char *name, size_t length)
{
    const char *open = memrchr(name, '(', length);
    if (!open || open < name + 2 || open[1] != '+' || name[length - 1] != ')')
        return length;
    made->offset = open + 2;
    made->offset_length = digits_at(open + 2);
    return (size_t)(open - 1 - name);
}

/* "F of struct S (+24), allocated at bank.c:12 (3rd)" */
static bool split_heap(const char *name, pieces *made)
{
    static const char at[] = ", allocated at ";
    const char *found = strstr(name, at);
    if (!found)
        return false;
    size_t length = split_offset(made, name, (size_t)(found - name));
    made->place = found + sizeof at - 1;
    made->place_length = strlen(made->place);
    made->is_heap = true;
    return split_member(made, name, length);
}

/* "F of struct S (+12) in tellers of main() in T0" */
static bool split_local(const char *name, pieces *made)
{
    static const char in[] = " in ";
    const char *found = strstr(name, in);
    if (!found || !strstr(found, "() in T"))
        return false;
    size_t length = split_offset(made, name, (size_t)(found - name));
    made->place = found + sizeof in - 1;
    const char *end = strstr(made->place, " of ");
    if (!end)
        return false;
    made->place_length = (size_t)(end - made->place);
    return split_member(made, name, length);
}

/* "box<int>::all[1].count": does the place name the member itself? */
static bool has_member(const pieces *made)
{
    size_t length = made->member_length;
    return made->place_length > length + 1 && !made->offset_length &&
           made->place[made->place_length - length - 1] == '.' &&
           strncmp(made->place + made->place_length - length, made->member, length) == 0;
}

static char *join(const pieces *made, bool exact)
{
    char *text = NULL;
    int type = (int)made->type_length, place = (int)made->place_length;
    int member = (int)made->member_length, offset = exact ? (int)made->offset_length : 0;
    const char *plus = offset ? "+" : "";
    int length;
    if (made->is_heap)
        length = asprintf(&text, "%.*s{%.*s}%s%.*s->%.*s", type, made->type, place, made->place,
                          plus, offset, made->offset, member, made->member);
    else
        length = asprintf(&text, "%.*s%s%.*s.%.*s", place, made->place, plus, offset, made->offset,
                          member, made->member);
    if (length < 0)
        ser_out_of_memory(0);
    return text;
}

/* "worker" of "Pool::worker" */
static const char *last_part(const char *function, const char *end)
{
    const char *start = end;
    while (start > function && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    return start < end ? start : function;
}

/* "x of Pool::worker() in T2" as debuggers write it: worker::x, or Pool::worker::x if it is to be
 * exact. NULL if it is no such name. */
static char *name_local(const char *name, bool exact)
{
    if (!*name)
        return NULL;
    const char *of = strstr(name, " of "), *end = strstr(name, "() in T");
    char *text = NULL;
    bool is_numbered = name[strlen(name) - 1] == ')'; /* "(2nd)" says which one it is */
    if (!of || of == name || !end || end <= of + 4 || memchr(name, '(', (size_t)(end - name)) ||
        (exact && is_numbered))
        return NULL;
    const char *function = exact ? of + 4 : last_part(of + 4, end);
    if (asprintf(&text, "%.*s::%.*s", (int)(end - function), function, (int)(of - name), name) < 0)
        ser_out_of_memory(0);
    return text;
}

/* "+8 of block allocated at bank.c:10 (1st)": {bank.c:10 (1st)}+8. NULL if it is no such name. */
static char *name_unnamed(const char *name)
{
    static const char of[] = " of block allocated at ";
    size_t digits = *name == '+' ? digits_at(name + 1) : 0;
    char *text = NULL;
    if (!digits || strncmp(name + 1 + digits, of, sizeof of - 1) != 0)
        return NULL;
    const char *place = name + digits + sizeof of;
    int offset = digits == 1 && name[1] == '0' ? 0 : (int)digits + 1;
    if (asprintf(&text, "{%s}%.*s", place, offset, name) < 0)
        ser_out_of_memory(0);
    return text;
}

/* "*limit, allocated at bank.c:10 (1st)": *limit, or *limit{bank.c:10 (1st)}. NULL if it is no such
 * name. */
static char *name_pointed_to(const char *name, bool exact)
{
    static const char at[] = ", allocated at ";
    const char *found = *name == '*' ? strstr(name, at) : NULL;
    char *text = NULL;
    int length = found ? (int)(found - name) : 0;
    if (!found || memchr(name, ' ', (size_t)length))
        return NULL;
    if (!exact)
        return ser_copy_text(name, (size_t)length);
    if (asprintf(&text, "%.*s{%s}", length, name, found + sizeof at - 1) < 0)
        ser_out_of_memory(0);
    return text;
}

char *ser_make_plain_name(const char *recorded, bool exact)
{
    pieces made = {.offset = ""};
    char *unnamed = name_unnamed(recorded);
    if (unnamed)
        return unnamed;
    char *pointed_to = name_pointed_to(recorded, exact);
    if (pointed_to)
        return pointed_to;
    char *path = name_by_path(recorded, exact);
    if (path)
        return path;
    bool is_whole = strstr(recorded, " in ") == strstr(recorded, " in T");
    char *local = is_whole ? name_local(recorded, exact) : NULL;
    if (local)
        return local;
    if (split_heap(recorded, &made))
        return join(&made, exact);
    made = (pieces){.offset = ""};
    if (split_local(recorded, &made))
        return join(&made, exact);
    made = (pieces){.offset = ""};
    if (split_global(recorded, &made))
        return has_member(&made) ? ser_copy_text(made.place, made.place_length)
                                 : join(&made, exact);
    return ser_copy_text(recorded, strlen(recorded));
}
