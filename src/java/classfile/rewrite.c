/* SPDX-License-Identifier: MIT */
/*
 * The class around its methods. New constants come behind the old ones; everything but the code of
 * methods is copied as it is.
 */
#include "java/classfile/rewrite.h"

#include <stdlib.h>

#include "java/classfile/annotations.h"
#include "java/classfile/format/layout.h"
#include "java/classfile/references.h"
#include "java/classfile/weave.h"

/* --- reading ------------------------------------------------------------------ */

static bool read_class(ser_class_job *job, const uint8_t *bytes, size_t size,
                       ser_class_layout *parts)
{
    if (!ser_class_layout_read(bytes, size, &job->pool, parts))
        return false;
    job->version = parts->version;
    job->this_class = parts->this_class;
    job->fields = parts->fields;
    job->name = ser_pool_class(&job->pool, job->this_class);
    return !job->pool.bad;
}

static ser_class_text find_source_file(ser_class_job *job, ser_view attributes)
{
    ser_view content = ser_class_find_attribute(&job->pool, attributes, "SourceFile");
    return content.bad ? (ser_class_text){"", 0} : ser_pool_text(&job->pool, ser_view_2(&content));
}

bool ser_class_is_final(ser_class_job *job, const ser_member *field)
{
    enum { FINAL = 0x10 };
    if (!ser_class_text_same(field->owner, job->name))
        return false;
    ser_view view = job->fields;
    for (uint32_t count = ser_view_2(&view); count > 0 && !view.bad; count--) {
        uint32_t access = ser_view_2(&view);
        ser_class_text name = ser_pool_text(&job->pool, ser_view_2(&view));
        ser_view_skip(&view, 2);
        if (access & FINAL && ser_class_text_same(name, field->name))
            return true;
        ser_class_skip_attributes(&view);
    }
    return false;
}

/* --- a method -------------------------------------------------------------------- */

/* The parts of a Code attribute. */
typedef struct code_parts {
    ser_view attributes; /* count first */
} code_parts;

/* The entries of the first table of lines; empty if there is none. */
static ser_view find_lines(ser_class_job *job, ser_view attributes)
{
    enum { ENTRY = 4 };
    ser_view content = ser_class_find_attribute(&job->pool, attributes, "LineNumberTable");
    ser_view lines = ser_view_part(&content, ENTRY * (size_t)ser_view_2(&content));
    return lines.bad ? (ser_view){0} : lines;
}

static bool read_code(ser_weave *weave, ser_view view, code_parts *parts)
{
    enum { EXCEPTION = 8, LONGEST = 65535 };
    weave->max_stack = ser_view_2(&view);
    weave->max_locals = ser_view_2(&view);
    weave->length = ser_view_4(&view);
    if (weave->length > LONGEST)
        return false;
    ser_view code = ser_view_part(&view, weave->length);
    weave->code = code.at;
    ser_view start = view;
    ser_view_skip(&view, EXCEPTION * (size_t)ser_view_2(&view));
    weave->exceptions = ser_view_between(&start, &view);
    start = view;
    ser_class_skip_attributes(&view);
    parts->attributes = ser_view_between(&start, &view);
    if (view.bad || ser_view_left(&view) > 0 || !ser_code_is_whole(weave->code, weave->length))
        return false;
    weave->lines = find_lines(weave->job, parts->attributes);
    ser_view frames =
        ser_class_find_attribute(&weave->job->pool, parts->attributes, "StackMapTable");
    weave->frames = frames.bad ? (ser_view){0} : frames;
    return true;
}

/* Writes the attribute Code anew; false if it stays as it is. */
static bool rewrite_code(ser_weave *weave, ser_view content, ser_bytes *out)
{
    code_parts parts;
    ser_class_job *job = weave->job;
    if (!read_code(weave, content, &parts)) {
        job->pool.bad = true;
        return false;
    }
    size_t before = out->count;
    weave->moved = calloc(2 * ((size_t)weave->length + 1), sizeof *weave->moved);
    weave->placed = weave->moved ? weave->moved + weave->length + 1 : NULL;
    if (!weave->moved) {
        out->failed = true;
        return false;
    }
    ser_weave_code(weave);
    if (!weave->problem && weave->changed)
        ser_relocate_branches(weave);
    if (!weave->problem && weave->changed)
        ser_relocate_code(weave, weave->exceptions, parts.attributes, out);
    if (weave->problem) {
        out->count = before;
        job->client->left_alone(job->client->context, job->name, weave->method, weave->problem);
    }
    out->failed = out->failed || weave->out.failed || weave->unguarded.failed;
    ser_bytes_free(&weave->unguarded);
    free(weave->moved);
    free(weave->flows);
    free(weave->lost);
    ser_bytes_free(&weave->out);
    return !weave->problem && weave->changed;
}

static bool rewrite_method(ser_class_job *job, ser_view *view, ser_bytes *out)
{
    enum { FLAGS_AND_NAMES = 6 };
    bool changed = false;
    size_t at = out->count;
    ser_view head = ser_view_part(view, FLAGS_AND_NAMES);
    ser_bytes_put(out, head.at, ser_view_left(&head));
    ser_weave weave = {.job = job, .access = ser_view_2(&head)};
    weave.method = ser_pool_text(&job->pool, ser_view_2(&head));
    weave.descriptor = ser_pool_text(&job->pool, ser_view_2(&head));
    weave.atomic = ser_has_atomic_annotation(&job->pool, *view);
    uint32_t count = ser_view_2(view);
    ser_bytes_2(out, count);
    for (; count > 0 && !view->bad && !job->pool.bad; count--) {
        const uint8_t *attribute = view->at;
        ser_class_text name = ser_pool_text(&job->pool, ser_view_2(view));
        ser_view content = ser_view_part(view, ser_view_4(view));
        if (!changed && ser_class_text_is(name, "Code") && rewrite_code(&weave, content, out))
            changed = true;
        else
            ser_bytes_put(out, attribute, (size_t)(view->at - attribute));
    }
    if (changed && weave.monitored)
        ser_bytes_patch_2(out, at, weave.access & ~(uint32_t)SER_METHOD_SYNCHRONIZED);
    return changed;
}

/* --- the class --------------------------------------------------------------------- */

static void put_view(ser_bytes *out, const ser_view *view)
{
    ser_bytes_put(out, view->at, ser_view_left(view));
}

static void assemble(const ser_class_job *job, const uint8_t *bytes, const ser_class_layout *parts,
                     const ser_bytes *methods, ser_bytes *out)
{
    ser_bytes_put(out, bytes, SER_CLASS_HEAD - 2);
    ser_bytes_2(out, job->pool.next);
    put_view(out, &parts->constants);
    ser_bytes_put(out, job->pool.added.items, job->pool.added.count);
    put_view(out, &parts->before_methods);
    ser_bytes_put(out, methods->items, methods->count);
    put_view(out, &parts->attributes);
    out->failed = out->failed || methods->failed || job->pool.added.failed;
}

static bool rewrite_methods(ser_class_job *job, ser_view view, ser_bytes *out)
{
    bool changed = false;
    uint32_t count = ser_view_2(&view);
    ser_bytes_2(out, count);
    for (; count > 0 && !view.bad && !job->pool.bad; count--)
        changed |= rewrite_method(job, &view, out);
    job->pool.bad = job->pool.bad || view.bad;
    return changed;
}

static ser_class_outcome rewrite(const uint8_t *bytes, size_t size, ser_class_mode mode,
                                 const ser_class_client *client, ser_bytes *out)
{
    ser_class_job job = {.client = client, .mode = mode};
    ser_class_layout parts = {0};
    ser_bytes methods = {0};
    ser_class_outcome outcome = SER_CLASS_REFUSED;
    *out = (ser_bytes){0};
    if (read_class(&job, bytes, size, &parts)) {
        job.file = find_source_file(&job, parts.attributes);
        bool changed = rewrite_methods(&job, parts.methods, &methods);
        if (changed && !job.pool.full)
            assemble(&job, bytes, &parts, &methods, out);
        if (job.pool.full)
            client->left_alone(client->context, job.name, (ser_class_text){"", 0},
                               "it would have too many constants");
        if (!job.pool.bad && !out->failed)
            outcome = changed && !job.pool.full ? SER_CLASS_REWRITTEN : SER_CLASS_UNCHANGED;
    }
    if (outcome != SER_CLASS_REWRITTEN)
        ser_bytes_free(out);
    ser_bytes_free(&methods);
    ser_pool_fini(&job.pool);
    return outcome;
}

ser_class_outcome ser_class_rewrite(const uint8_t *bytes, size_t size, ser_class_mode mode,
                                    const ser_class_client *client, ser_bytes *out)
{
    ser_bytes spelled;
    if (mode == SER_CLASS_CALLS || !ser_class_spell_references(bytes, size, mode, &spelled))
        return rewrite(bytes, size, mode, client, out);
    ser_class_outcome outcome = rewrite(spelled.items, spelled.count, mode, client, out);
    ser_bytes_free(&spelled);
    return outcome;
}

bool ser_class_read_outline(const uint8_t *bytes, size_t size, ser_class_outline *outline)
{
    ser_class_job job = {0};
    ser_class_layout parts = {0};
    bool good = read_class(&job, bytes, size, &parts);
    if (good) {
        ser_view view = parts.before_methods;
        outline->name = job.name;
        outline->super =
            parts.super ? ser_pool_class(&job.pool, parts.super) : (ser_class_text){"", 0};
        ser_view_skip(&view, 6);
        ser_view_skip(&view, 2 * (size_t)ser_view_2(&view));
        for (uint32_t count = ser_view_2(&view); count > 0 && !view.bad; count--) {
            ser_view_skip(&view, 2);
            ser_class_text name = ser_pool_text(&job.pool, ser_view_2(&view));
            outline->field(outline->context, name, ser_pool_text(&job.pool, ser_view_2(&view)));
            ser_class_skip_attributes(&view);
        }
        good = !view.bad && !job.pool.bad;
    }
    ser_pool_fini(&job.pool);
    return good;
}
