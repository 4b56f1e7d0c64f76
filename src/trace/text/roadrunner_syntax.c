/* SPDX-License-Identifier: MIT */
/*
 * An event is a word and parentheses around the number of the thread and the
 * operand. Operands such as signatures of methods have parentheses of their
 * own, in pairs, so the one that closes is found by counting. What follows is
 * free text that depends on the kind of event.
 */
#include "trace/text/roadrunner_syntax.h"

typedef struct word {
    const char *name;
    ser_rr_kind kind;
    bool has_location; /* the last word of the line says where */
} word;

static const word words[] = {
    {"Rd", SER_RR_READ, true},
    {"Wr", SER_RR_WRITE, true},
    {"ARd", SER_RR_READ, true},
    {"AWr", SER_RR_WRITE, true},
    {"VRd", SER_RR_READ, false},
    {"VWr", SER_RR_WRITE, false},
    {"Acquire", SER_RR_ACQUIRE, false},
    {"Release", SER_RR_RELEASE, false},
    {"Start", SER_RR_START, false},
    {"Join", SER_RR_JOIN, false},
    {"Enter", SER_RR_ENTER, false},
    {"Exit", SER_RR_EXIT, false},
    {"Wait", SER_RR_WAIT, false},
    {"Notify", SER_RR_NOTIFY, false},
    {"Barrier", SER_RR_BARRIER, false},
    {"Sleep", SER_RR_NOTHING, false},
    {"Interrupt", SER_RR_NOTHING, false},
    {"Interrupted", SER_RR_NOTHING, false},
    {"NewThread", SER_RR_NOTHING, false},
    {"ClassInited", SER_RR_NOTHING, false},
    {"ClassAccssed", SER_RR_NOTHING, false}, /* as RoadRunner spells it */
    {"ClassAccessed", SER_RR_NOTHING, false},
    {"Dummy", SER_RR_NOTHING, false},
};

static const word *find_word(ser_span name)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == name.length &&
            memcmp(words[i].name, name.text, name.length) == 0)
            return &words[i];
    return NULL;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* The word of `@   Word(`; empty if the line is of another form. */
static ser_span event_word(ser_span text)
{
    size_t start = 1, end;
    if (text.length < 2 || text.text[0] != '@' || !is_blank(text.text[1]))
        return (ser_span){NULL, 0};
    while (start < text.length && is_blank(text.text[start]))
        start++;
    for (end = start; end < text.length && is_letter(text.text[end]); end++)
        ;
    if (end == text.length || text.text[end] != '(')
        return (ser_span){NULL, 0};
    return (ser_span){text.text + start, end - start};
}

/* The parenthesis that closes the one before `at`; NULL if there is none. */
static const char *find_closing(const char *at, const char *end)
{
    for (int open = 1; at < end; at++) {
        open += (*at == '(') - (*at == ')');
        if (open == 0)
            return at;
    }
    return NULL;
}

/* The last word of the rest of an access. Before it stands the state of the
 * tool; a line that ends in a value, `[0 -> 1]`, has no location. */
static ser_span last_word(const char *at, const char *end)
{
    while (end > at && is_blank(end[-1]))
        end--;
    const char *start = end;
    while (start > at && !is_blank(start[-1]))
        start--;
    if (start == at || end == start || end[-1] == ']')
        return (ser_span){NULL, 0};
    return (ser_span){start, (size_t)(end - start)};
}

/* What stands after `from ` behind a call, unless it is `null`. */
static ser_span call_site(const char *at, const char *end)
{
    static const char from[] = " from ";
    size_t skip = sizeof from - 1;
    if ((size_t)(end - at) <= skip || memcmp(at, from, skip) != 0)
        return (ser_span){NULL, 0};
    ser_span site = {at + skip, (size_t)(end - at) - skip};
    bool none = site.length == 4 && memcmp(site.text, "null", 4) == 0;
    return none ? (ser_span){NULL, 0} : site;
}

static void split_detail(ser_rr_line *line)
{
    const char *comma = memrchr(line->operand.text, ',', line->operand.length);
    if (!comma)
        return;
    const char *end = line->operand.text + line->operand.length;
    line->detail = (ser_span){comma + 1, (size_t)(end - comma) - 1};
    line->operand.length = (size_t)(comma - line->operand.text);
}

static bool detail_is(const ser_rr_line *line, const char *text)
{
    return line->detail.length == strlen(text) &&
           memcmp(line->detail.text, text, line->detail.length) == 0;
}

static const char *check_detail(ser_rr_line *line)
{
    split_detail(line);
    if (line->kind == SER_RR_NOTIFY && !detail_is(line, "true") && !detail_is(line, "false"))
        return "notify without ',true' or ',false'";
    if (line->kind == SER_RR_BARRIER && !detail_is(line, "Enter") && !detail_is(line, "Exit"))
        return "barrier without ',Enter' or ',Exit'";
    return NULL;
}

static const char *parse_event(const word *kind, const char *at, const char *end, ser_rr_line *line)
{
    const char *closing = find_closing(at, end);
    if (!closing)
        return "missing ')'";
    const char *comma = memchr(at, ',', (size_t)(closing - at));
    if (!comma)
        return "missing operand";
    line->kind = kind->kind;
    line->thread = (ser_span){at, (size_t)(comma - at)};
    line->operand = (ser_span){comma + 1, (size_t)(closing - comma) - 1};
    if (kind->has_location)
        line->location = last_word(closing + 1, end);
    else if (line->kind == SER_RR_ENTER)
        line->location = call_site(closing + 1, end);
    const char *problem = NULL;
    if (line->kind == SER_RR_NOTIFY || line->kind == SER_RR_BARRIER)
        problem = check_detail(line);
    if (problem)
        return problem;
    if (line->thread.length == 0)
        return "missing thread";
    return line->operand.length == 0 ? "missing operand" : NULL;
}

const char *ser_rr_parse(ser_span text, ser_rr_line *line)
{
    *line = (ser_rr_line){.kind = SER_RR_NOTHING};
    ser_span name = event_word(text);
    if (name.length == 0)
        return NULL;
    const word *kind = find_word(name);
    if (!kind)
        return "unknown kind of event";
    if (kind->kind == SER_RR_NOTHING)
        return NULL;
    return parse_event(kind, name.text + name.length + 1, text.text + text.length, line);
}

bool ser_rr_is_typical(ser_span text)
{
    static const char greeting[] = "[main: RoadRunner ";
    if (text.length >= sizeof greeting - 1 && memcmp(text.text, greeting, sizeof greeting - 1) == 0)
        return true;
    ser_span name = event_word(text);
    return name.length > 0 && find_word(name);
}
