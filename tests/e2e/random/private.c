/* SPDX-License-Identifier: MIT */
/*
 * A random program whose threads own most of their memory most of the time: private SEED
 * [correct].
 *
 * Buffers are private, are handed over (queue, atomic exchange, plain flag, thread
 * argument, join), are read by all after they were filled, freed and allocated again; bytes and
 * halves of one word belong to different threads; accesses straddle words; locals are lent to
 * other threads. What is read decides what is done next, so that an interleaving
 * that is not one of the program is found out when it is replayed. Nothing waits for what is
 * not certain to come. With `correct` what is shared is accessed in blocks that hold one lock,
 * and everything else is handed over in the right way.
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_memory.h"

enum { THREADS = 3, SLOTS = 3, QUEUE = 4, SHARED = 3, DEEPEST = 2 };

static int shared[SHARED];
static _Alignas(8) struct {
    int flag, count;
} halves;
static _Alignas(8) unsigned char neighbours[8];
static _Alignas(8) straddler odd;
static buffer *published; /* plain */
static buffer *_Atomic slots[SLOTS];
static buffer *locked_slots[SLOTS];
static pthread_mutex_t slot_locks[SLOTS];
static atomic_int counter;
static struct {
    pthread_mutex_t lock;
    pthread_cond_t some;
    buffer *items[QUEUE];
    unsigned count;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0};
static int table[8]; /* filled before there are threads, or by the first one */
static struct {
    pthread_mutex_t lock;
    int *local;
} lent = {PTHREAD_MUTEX_INITIALIZER, NULL};
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_started;
static volatile int handled;
static int correct;
static uint64_t seed;

static void *work(void *argument);
static void act(worker *me);

/* --- calls and jumps ---------------------------------------------------------- */

static void nest(worker *me)
{
    int first = (int)draw(me, 5), second = 1;
    change(me, &first);
    change(me, &second);
    look(me, (uint64_t)(first + second));
    if (draw(me, 3) == 0 && me->depth < DEEPEST) {
        me->depth++;
        act(me);
        me->depth--;
    }
    change(me, &first);
}

static void jump_out(worker *me, jmp_buf *to)
{
    use_own(me);
    longjmp(*to, 1);
}

static void jump(worker *me)
{
    jmp_buf here;
    if (setjmp(here) == 0)
        jump_out(me, &here);
    use_own(me);
}

/* --- handing over ----------------------------------------------------------- */

/* A broken exchange writes in the program but not in the model of predictions. */
static buffer *exchange(unsigned slot, buffer *mine)
{
    if (seed % 8 == 0)
        return atomic_exchange(&slots[slot], mine);
    pthread_mutex_lock(&slot_locks[slot]);
    buffer *got = locked_slots[slot];
    locked_slots[slot] = mine;
    pthread_mutex_unlock(&slot_locks[slot]);
    return got;
}

static void through_slot(worker *me)
{
    buffer *got = exchange(draw(me, SLOTS), me->own);
    look(me, got != NULL);
    me->own = got ? got : fresh(me);
    use_own(me);
}

static void through_queue(worker *me)
{
    pthread_mutex_lock(&queue.lock);
    if (draw(me, 2) && queue.count < QUEUE) {
        queue.items[queue.count++] = me->own;
        pthread_cond_signal(&queue.some);
        me->own = NULL;
    } else if (queue.count > 0) {
        buffer *got = queue.items[--queue.count];
        use_own(me);
        free(me->own);
        me->own = got;
    }
    pthread_mutex_unlock(&queue.lock);
    look(me, me->own != NULL);
    if (!me->own)
        me->own = fresh(me);
    use_own(me);
}

static void through_thread(worker *me)
{
    pthread_t handle;
    worker child = {
        .state = me->state ^ 77, .own = me->own, .number = me->number, .depth = DEEPEST, .calm = 3};
    if (me->depth >= DEEPEST || me->number != 1)
        return; /* one thread starts others: so their numbers are always the same */
    child.number += 10 * ++me->blocks;
    pthread_create(&handle, NULL, work, &child);
    me->own = fresh(me);
    use_own(me);
    pthread_join(handle, NULL);
    free(me->own);
    me->own = child.own;
    look(me, child.state);
    use_own(me);
}

static void offer(int *local)
{
    pthread_mutex_lock(&lent.lock);
    lent.local = local;
    pthread_mutex_unlock(&lent.lock);
}

static void lend(worker *me)
{
    int beside = 6, local = 5;
    change(me, &beside);
    change(me, &local);
    offer(&local);
    change(me, &beside);
    rest(me);
    offer(NULL);
    change(me, &local);
    change(me, &beside);
}

static void borrow(worker *me)
{
    pthread_mutex_lock(&lent.lock);
    if (lent.local)
        change(me, lent.local);
    pthread_mutex_unlock(&lent.lock);
}

static void take_counter(worker *me)
{
    int seen = (int)draw(me, 3);
    if (seed % 8 != 0)
        atomic_store(&counter, (int)draw(me, 3));
    else if (draw(me, 2))
        look(me, (uint64_t)atomic_fetch_add(&counter, 1));
    else if (!atomic_compare_exchange_strong(&counter, &seen, seen + 1))
        look(me, (uint64_t)seen);
}

/* --- sharing without order --------------------------------------------------- */

static void publish(worker *me)
{
    buffer *seen = published;
    look(me, seen != NULL);
    if (!seen) {
        seen = fresh(me);
        use_words(me, seen);
        published = seen;
    } else {
        look(me, (uint64_t)seen->words[draw(me, 4)]);
    }
}

static void use_halves(worker *me)
{
    switch (draw(me, 4)) {
    case 0:
        halves.flag++;
        rest(me);
        break;
    case 1:
        halves.count++;
        break;
    case 2:
        look(me, (uint64_t)halves.flag);
        break;
    default:
        look(me, (uint64_t)halves.count);
    }
}

static void use_neighbours(worker *me)
{
    unsigned at = draw(me, 3) ? (unsigned)me->number % 8 : draw(me, 8);
    neighbours[at]++;
}

static void use_shared(worker *me)
{
    unsigned which = draw(me, SHARED);
    if (draw(me, 2))
        shared[which] = (int)draw(me, 3);
    else
        look(me, (uint64_t)shared[which]);
}

static void use_shared_odd(worker *me)
{
    use_odd(me, &odd);
}

static void use_table(worker *me)
{
    look(me, (uint64_t)table[draw(me, 8)]);
}

static void copy_shared(worker *me)
{
    int copy[SHARED];
    if (draw(me, 2))
        memcpy(me->own->words, shared, sizeof shared);
    else
        memcpy(shared, me->own->words, sizeof shared);
    memcpy(copy, me->own->words, sizeof copy);
    look(me, (uint64_t)copy[0]);
}

static void handle(int signal)
{
    (void)signal;
    handled++;
}

static void interrupt(worker *me)
{
    (void)me;
    raise(SIGUSR1);
}

/* --- blocks ------------------------------------------------------------------ */

static void act(worker *me)
{
    static void (*const harmless[])(worker *) = {use_own,   use_own,      replace_own,
                                                 nest,      through_slot, through_thread,
                                                 use_table, jump,         through_queue};
    static void (*const racy[])(worker *) = {
        publish,     use_halves,   use_neighbours, use_shared_odd, use_shared,
        copy_shared, take_counter, interrupt,      lend,           borrow};
    unsigned count = sizeof harmless / sizeof *harmless;
    rest(me);
    if (correct || draw(me, 5) < me->calm)
        harmless[draw(me, correct ? count - 1 : count)](me);
    else
        racy[draw(me, sizeof racy / sizeof *racy)](me);
}

static void act_correctly(worker *me)
{
    pthread_mutex_lock(&big);
    use_shared(me);
    use_halves(me);
    use_own(me);
    pthread_mutex_unlock(&big);
}

static void block(worker *me)
{
    char name[32];
    snprintf(name, sizeof name, "b%d.%d", me->number, me->blocks++);
    SERIATIM_ATOMIC_BEGIN(name);
    me->calm = 1;
    if (correct)
        act_correctly(me);
    else
        for (unsigned i = 2 + draw(me, 2); i > 0; i--)
            act(me);
    me->calm = 3;
    SERIATIM_ATOMIC_END();
}

static void *work(void *argument)
{
    worker *me = argument;
    if (me->depth < DEEPEST)
        pthread_barrier_wait(&all_started);
    for (unsigned i = 3 + draw(me, 6); i > 0; i--)
        if (draw(me, 3) == 0)
            block(me);
        else
            act(me);
    return NULL;
}

int main(int argc, char **argv)
{
    worker workers[THREADS];
    pthread_t handles[THREADS];
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    correct = argc > 2 && strcmp(argv[2], "correct") == 0;
    by_values = seed % 2;
    signal(SIGUSR1, handle);
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slot_locks[i], NULL);
    pthread_barrier_init(&all_started, NULL, THREADS);
    for (int i = 0; i < 8; i++)
        table[i] = i;
    for (int i = 0; i < THREADS; i++) {
        workers[i] =
            (worker){.state = seed * 1000 + (uint64_t)i * 7919, .number = i + 1, .calm = 3};
        draw(&workers[i], 2);
        workers[i].own = fresh(&workers[i]);
        use_own(&workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&handles[i], NULL, work, &workers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(handles[i], NULL);
    return 0;
}
