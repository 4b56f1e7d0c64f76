/* SPDX-License-Identifier: MIT */
#include "java/classfile/format/layout.h"

enum { MAGIC = 0xcafebabe, OLDEST_VERSION = 45 };

void ser_class_skip_attributes(ser_view *view)
{
    for (uint32_t count = ser_view_2(view); count > 0 && !view->bad; count--) {
        ser_view_skip(view, 2);
        ser_view_skip(view, ser_view_4(view));
    }
}

/* Fields or methods. */
static void skip_members(ser_view *view)
{
    for (uint32_t count = ser_view_2(view); count > 0 && !view->bad; count--) {
        ser_view_skip(view, 6);
        ser_class_skip_attributes(view);
    }
}

ser_view ser_class_find_attribute(ser_pool *pool, ser_view view, const char *name)
{
    for (uint32_t count = ser_view_2(&view); count > 0 && !view.bad; count--) {
        bool found = ser_class_text_is(ser_pool_text(pool, ser_view_2(&view)), name);
        ser_view content = ser_view_part(&view, ser_view_4(&view));
        if (found)
            return content;
    }
    return (ser_view){.bad = true};
}

bool ser_class_layout_read(const uint8_t *bytes, size_t size, ser_pool *pool,
                           ser_class_layout *layout)
{
    ser_view view = {bytes, bytes + size, false};
    if (ser_view_4(&view) != MAGIC)
        return false;
    ser_view_skip(&view, 2);
    layout->version = ser_view_2(&view);
    ser_view start = {bytes + SER_CLASS_HEAD, bytes + size, size < SER_CLASS_HEAD};
    ser_pool_read(pool, &view);
    if (pool->bad || start.bad || layout->version < OLDEST_VERSION)
        return false;
    layout->constants = ser_view_between(&start, &view);
    start = view;
    layout->access = ser_view_2(&view);
    layout->this_class = ser_view_2(&view);
    layout->super = ser_view_2(&view);
    ser_view_skip(&view, 2 * (size_t)ser_view_2(&view));
    layout->fields = view;
    skip_members(&view);
    layout->before_methods = ser_view_between(&start, &view);
    start = view;
    skip_members(&view);
    layout->methods = ser_view_between(&start, &view);
    start = view;
    ser_class_skip_attributes(&view);
    layout->attributes = ser_view_between(&start, &view);
    return !view.bad && ser_view_left(&view) == 0 && !pool->bad;
}
