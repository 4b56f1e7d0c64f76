/* SPDX-License-Identifier: MIT */
/* All sets of all frames lie in one piece of memory: a path is never longer than the
 * task, so nothing is allocated while the search goes on. */
#include "predict/dpor/stack.h"

#include "base/memory.h"

enum { SETS_IN_FRAME = 4 };

size_t ser_stack_bytes(const ser_task *task)
{
    size_t words = ser_threads_words((uint32_t)task->threads.count);
    return (task->steps.count + 1) * (sizeof(ser_frame) + SETS_IN_FRAME * words * sizeof(uint64_t));
}

ser_stack *ser_stack_create(ser_path *path)
{
    ser_stack *stack = ser_alloc(1, sizeof *stack);
    size_t frames = path->task->steps.count + 1;
    stack->path = path;
    stack->words = ser_threads_words(path->threads);
    stack->frames = ser_alloc(frames, sizeof *stack->frames);
    stack->sets = ser_alloc(frames * SETS_IN_FRAME * stack->words, sizeof *stack->sets);
    stack->clock = ser_alloc(path->threads, sizeof *stack->clock);
    uint64_t *set = stack->sets;
    for (size_t i = 0; i < frames; i++) {
        uint64_t **sets[SETS_IN_FRAME] = {&stack->frames[i].able, &stack->frames[i].backtrack,
                                          &stack->frames[i].done, &stack->frames[i].sleep};
        for (int k = 0; k < SETS_IN_FRAME; k++, set += stack->words)
            *sets[k] = set;
    }
    return stack;
}

void ser_stack_destroy(ser_stack *stack)
{
    if (!stack)
        return;
    free(stack->frames);
    free(stack->sets);
    free(stack->clock);
    ser_vector_free(&stack->races);
    ser_vector_free(&stack->heads);
    ser_vector_free(&stack->initials);
    free(stack);
}
