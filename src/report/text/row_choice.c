/* SPDX-License-Identifier: MIT */
#include "report/text/row_choice.h"

enum {
    NEIGHBOURS = 3,  /* shown on either side of what matters */
    LAST_STEPS = 20, /* of a run that failed */
    LONGEST_SHOWN = 4,
    MOST_ALIKE = 3 /* steps that do the same, before they are folded */
};

static const ser_picture_step *step_at(const ser_row_choice *all, size_t i)
{
    return &all->picture->steps.items[i];
}

const ser_run_block *ser_picture_block(const ser_picture *picture)
{
    static const ser_run_block none;
    bool has = picture->block != SER_NO_OBJECT;
    return has ? &picture->run->blocks.items[picture->block] : &none;
}

/* All words of a block are freed at once. */
static bool is_freed_with_previous(const ser_row_choice *all, size_t i)
{
    const ser_event *event = ser_picture_event(all->picture, i);
    const ser_event *before = i > 0 ? ser_picture_event(all->picture, i - 1) : event;
    return i > 0 && ser_op_frees((ser_op)event->op) && ser_op_frees((ser_op)before->op) &&
           event->thread == before->thread && event->site == before->site;
}

/* Calls matter only where one is the block. */
static bool is_dull(const ser_row_choice *all, size_t i)
{
    uint32_t number = step_at(all, i)->event;
    if (is_freed_with_previous(all, i))
        return true;
    return ser_op_space((ser_op)ser_picture_event(all->picture, i)->op) == SER_SPACE_FUNCTION &&
           number != ser_picture_block(all->picture)->begin &&
           number != ser_picture_block(all->picture)->end;
}

static bool is_detail(const ser_row_choice *all, size_t i)
{
    return is_dull(all, i) || ser_is_detail(&all->details, ser_picture_event(all->picture, i));
}

/* Does its thread do something that matters? Others have no column. */
static bool takes_part(const ser_row_choice *all, size_t i)
{
    return all->involved[ser_picture_event(all->picture, i)->thread];
}

static bool matters(const ser_row_choice *all, size_t i)
{
    if (!all->picture->path.count) /* a failure: how it ends */
        return i + LAST_STEPS >= all->picture->steps.count && !is_dull(all, i);
    return step_at(all, i)->flags & (SER_STEP_ON_PATH | SER_STEP_CHANGED) ||
           step_at(all, i)->event == ser_picture_block(all->picture)->begin;
}

static void show_around(ser_row_choice *all, size_t position)
{
    uint32_t thread = ser_picture_event(all->picture, position)->thread;
    bool begins = step_at(all, position)->event == ser_picture_block(all->picture)->begin;
    all->kinds[position] = SER_ROW_SHOWN;
    for (size_t i = position, left = begins ? 0 : NEIGHBOURS; left > 0 && i-- > 0;) {
        if (ser_picture_event(all->picture, i)->thread != thread ||
            (step_at(all, i)->flags ^ step_at(all, position)->flags) & SER_STEP_IN_BLOCK)
            break;
        if (!is_detail(all, i))
            all->kinds[i] = SER_ROW_SHOWN, left--;
    }
    for (size_t i = position + 1, left = NEIGHBOURS; left > 0 && i < all->picture->steps.count;
         i++) {
        if (ser_picture_event(all->picture, i)->thread != thread)
            break;
        if (!is_detail(all, i))
            all->kinds[i] = SER_ROW_SHOWN, left--;
    }
}

size_t ser_row_choice_end_of_folded(const ser_row_choice *all, size_t i, size_t *telling)
{
    *telling = 0;
    for (; i < all->picture->steps.count && all->kinds[i] == SER_ROW_FOLDED; i++)
        *telling += !is_detail(all, i);
    return i;
}

static void show_short_gaps(ser_row_choice *all)
{
    for (size_t i = 0; i < all->picture->steps.count; i++) {
        size_t telling, end = ser_row_choice_end_of_folded(all, i, &telling);
        if (end == i)
            continue;
        for (size_t k = i; i > 0 && telling <= LONGEST_SHOWN && k < end; k++)
            if (!is_detail(all, k) && takes_part(all, k))
                all->kinds[k] = SER_ROW_SHOWN;
        i = end - 1;
    }
}

static bool are_alike(const ser_row_choice *all, size_t one, size_t other)
{
    return ser_picture_event(all->picture, one)->op == ser_picture_event(all->picture, other)->op &&
           ser_picture_event(all->picture, one)->thread ==
               ser_picture_event(all->picture, other)->thread &&
           !matters(all, other);
}

static void fold_alike(ser_row_choice *all)
{
    size_t last = SIZE_MAX, count = 0;
    for (size_t i = 0; i < all->picture->steps.count; i++) {
        if (all->kinds[i] == SER_ROW_FOLDED)
            continue;
        count = last != SIZE_MAX && are_alike(all, last, i) ? count + 1 : 0;
        if (count >= MOST_ALIKE)
            all->kinds[i] = SER_ROW_ALIKE;
        last = i;
    }
}

static void find_block(ser_row_choice *all)
{
    all->block_first = SIZE_MAX;
    for (size_t i = 0; i < all->picture->steps.count; i++) {
        if (!(step_at(all, i)->flags & SER_STEP_IN_BLOCK))
            continue;
        if (all->block_first == SIZE_MAX)
            all->block_first = i;
        all->block_last = i;
        all->block_ends = step_at(all, i)->event == ser_picture_block(all->picture)->end;
    }
    if (!all->block_ends)
        all->block_last = all->picture->steps.count;
}

void ser_row_choice_init(ser_row_choice *choice, const ser_picture *picture)
{
    *choice = (ser_row_choice){
        .picture = picture,
        .kinds = ser_alloc(picture->steps.count + 1, sizeof(uint8_t)),
        .involved = ser_alloc(picture->run->threads.count + 1, sizeof(bool)),
    };
    ser_details_find(&choice->details, picture->run, picture->names);
    for (size_t i = 0; i < picture->steps.count; i++)
        if (matters(choice, i)) {
            choice->involved[ser_picture_event(picture, i)->thread] = true;
            show_around(choice, i);
        }
    show_short_gaps(choice);
    fold_alike(choice);
    find_block(choice);
}

void ser_row_choice_fini(ser_row_choice *choice)
{
    free(choice->kinds);
    free(choice->involved);
    ser_details_fini(&choice->details);
}
