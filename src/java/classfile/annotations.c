/* SPDX-License-Identifier: MIT */
/*
 * Annotations (4.7.16 of the specification) may contain values, which contain annotations: all are
 * passed over.
 */
#include "java/classfile/annotations.h"

#define ATOMIC "Lseriatim/Atomic;"

enum { MOST_DEPTH = 64 }; /* of values in each other */

static void skip_annotation(ser_view *view, int depth);

static void skip_value(ser_view *view, int depth)
{
    uint32_t tag = ser_view_1(view);
    if (depth > MOST_DEPTH) {
        view->bad = true;
    } else if (tag == 'e') {
        ser_view_skip(view, 4);
    } else if (tag == '@') {
        skip_annotation(view, depth + 1);
    } else if (tag == '[') {
        for (uint32_t count = ser_view_2(view); count > 0 && !view->bad; count--)
            skip_value(view, depth + 1);
    } else {
        ser_view_skip(view, 2);
    }
}

static void skip_annotation(ser_view *view, int depth)
{
    ser_view_skip(view, 2);
    for (uint32_t count = ser_view_2(view); count > 0 && !view->bad; count--) {
        ser_view_skip(view, 2);
        skip_value(view, depth);
    }
}

static bool has_atomic(ser_pool *pool, ser_view view)
{
    for (uint32_t count = ser_view_2(&view); count > 0 && !view.bad; count--) {
        ser_view type = view;
        if (ser_class_text_is(ser_pool_text(pool, ser_view_2(&type)), ATOMIC))
            return true;
        skip_annotation(&view, 0);
    }
    return false;
}

bool ser_has_atomic_annotation(ser_pool *pool, ser_view attributes)
{
    for (uint32_t count = ser_view_2(&attributes); count > 0 && !attributes.bad; count--) {
        ser_class_text name = ser_pool_text(pool, ser_view_2(&attributes));
        ser_view content = ser_view_part(&attributes, ser_view_4(&attributes));
        if ((ser_class_text_is(name, "RuntimeInvisibleAnnotations") ||
             ser_class_text_is(name, "RuntimeVisibleAnnotations")) &&
            has_atomic(pool, content))
            return true;
    }
    return false;
}
