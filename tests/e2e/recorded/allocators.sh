#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with a malloc of their own: instrumented, with locks, before anything else runs.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# Free lists behind a mutex. What is mapped, how and where, is chosen by SBRK; with SPIN a lock
# of atomics is taken as well.
cat > heap.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
typedef struct block {
    size_t size;
    struct block *next;
} block;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static block *lists[48];
static char *at, *end;
static int spin;
static void start(void)
{
    size_t size = (size_t)1 << 26;
#ifdef SBRK
    at = sbrk((intptr_t)size);
    at += (64 - (uintptr_t)at % 64) % 64;
    size -= 64;
#else
    at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#endif
    end = at + size;
}
static void enter(void)
{
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
#ifdef SPIN
    while (__atomic_exchange_n(&spin, 1, __ATOMIC_ACQUIRE))
        sched_yield();
#endif
}
static void leave(void)
{
    __atomic_store_n(&spin, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}
static int class_of(size_t size)
{
    int class = 5;
    while (((size_t)1 << class) < size)
        class++;
    return class;
}
void *malloc(size_t size)
{
    int class = class_of(size + sizeof(block));
    enter();
    block *found = lists[class];
    if (found) {
        lists[class] = found->next;
    } else {
        found = (block *)at;
        at += (size_t)1 << class;
    }
    found->size = (size_t)1 << class;
    leave();
    return found + 1;
}
void free(void *memory)
{
    block *freed = (block *)memory - 1;
    if (!memory)
        return;
    if (freed->size == 0)
        freed = freed->next;
    int class = class_of(freed->size);
    enter();
    freed->next = lists[class];
    lists[class] = freed;
    leave();
}
void *calloc(size_t count, size_t size)
{
    return memset(malloc(count * size), 0, count * size);
}
void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    size_t old = ((block *)memory - 1)->size - sizeof(block);
    void *moved = memcpy(malloc(size), memory, old < size ? old : size);
    free(memory);
    return moved;
}
void *memalign(size_t alignment, size_t size)
{
    block *found = malloc(size + 2 * alignment + sizeof(block));
    block *moved = (block *)(((uintptr_t)(found + 1) + alignment) & ~(alignment - 1));
    moved[-1] = (block){0, found - 1};
    return moved;
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = memalign(alignment, size);
    return 0;
}
END
cat > use.c <<'END'
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 50, right = 50, wrong;
static int get(int *from)
{
    pthread_mutex_lock(&lock);
    int seen = *from;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void *sum(void *unused)
{
    for (int i = 0; i < 20; i++) {
        int *all = malloc(i % 5 * 1000 + sizeof *all);
        SERIATIM_ATOMIC_BEGIN("sum");
        *all = get(&left);
        *all += get(&right);
        SERIATIM_ATOMIC_END();
        wrong += *all < 0;
        free(realloc(all, 3000));
    }
    return unused;
}
static void *move(void *unused)
{
    char *text = strdup("moved");
    pthread_mutex_lock(&lock);
    left -= 10;
    right += 10;
    pthread_mutex_unlock(&lock);
    free(text);
    return unused;
}
static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}
int main(void)
{
    pthread_t threads[3], other;
    void *aligned;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i == 1 ? move : sum, NULL);
    pthread_create(&other, NULL, move, NULL);
    pthread_detach(other);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pthread_create(&other, NULL, sleep_for_ever, NULL);
    pthread_cancel(other);
    pthread_join(other, &aligned);
    printf("%d %d\n", aligned == PTHREAD_CANCELED, wrong);
    if (posix_memalign(&aligned, 256, 1000) == 0)
        free(aligned);
    return 0;
}
END
# Caches of threads, operator new and delete, a static variable with a guard, exceptions.
cat > new.cpp <<'END'
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>
#include <sys/mman.h>
struct Node {
    size_t size_class;
    Node *next;
};
struct Heap {
    std::mutex lock;
    Node *lists[48] = {};
    char *at = nullptr, *end = nullptr;
};
static Heap &heap()
{
    alignas(Heap) static char room[sizeof(Heap)];
    static Heap *the = new (room) Heap;
    return *the;
}
static void give(Node *node)
{
    std::lock_guard<std::mutex> guard(heap().lock);
    node->next = heap().lists[node->size_class];
    heap().lists[node->size_class] = node;
}
struct Cache {
    Node *nodes[48];
    bool over;
    ~Cache()
    {
        for (Node *&first : nodes)
            while (first) {
                Node *node = first;
                first = node->next;
                give(node);
            }
        over = true;
    }
};
static thread_local Cache cache;
static Node *carve(size_t size_class)
{
    std::lock_guard<std::mutex> guard(heap().lock);
    Heap &the = heap();
    if (Node *node = the.lists[size_class]) {
        the.lists[size_class] = node->next;
        return node;
    }
    size_t size = size_t(1) << size_class;
    if (size_t(the.end - the.at) < size) {
        size_t chunk = size > (1 << 18) ? size : 1 << 18;
        the.at = (char *)mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                              -1, 0);
        the.end = the.at + chunk;
    }
    the.at += size;
    return (Node *)(the.at - size);
}
extern "C" {
void *malloc(size_t size)
{
    size_t size_class = 5;
    while ((size_t(1) << size_class) < size + sizeof(Node))
        size_class++;
    Node *node = cache.nodes[size_class];
    if (node)
        cache.nodes[size_class] = node->next;
    else
        node = carve(size_class);
    node->size_class = size_class;
    return node + 1;
}
void free(void *memory)
{
    Node *node = (Node *)memory - 1;
    if (!memory)
        return;
    if (cache.over || cache.nodes[node->size_class])
        return give(node);
    node->next = nullptr;
    cache.nodes[node->size_class] = node;
}
void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }
void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    size_t old = (size_t(1) << ((Node *)memory - 1)->size_class) - sizeof(Node);
    void *moved = memcpy(malloc(size), memory, old < size ? old : size);
    free(memory);
    return moved;
}
}
void *operator new(size_t size) { return malloc(size); }
void operator delete(void *memory) noexcept { free(memory); }
void operator delete(void *memory, size_t) noexcept { free(memory); }
static std::map<int, std::string> table;
static std::mutex lock;
int main()
{
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([t] {
            for (int i = 0; i < 20; i++) {
                std::lock_guard<std::mutex> guard(lock);
                table[i] += std::string(30, char('a' + t));
            }
            try {
                throw std::string("x");
            } catch (std::string &) {
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    size_t all = 0;
    for (auto &entry : table)
        all += entry.second.size();
    std::printf("%zu\n", all);
}
END
# It only counts, and finds the real functions where we find them, too.
cat > wrap.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
static void *(*next_malloc)(size_t);
static long count;
void *malloc(size_t size)
{
    static char early[4096];
    static size_t used, finding;
    if (!next_malloc && finding) {
        used += (size + 15) / 16 * 16;
        return early + used - (size + 15) / 16 * 16;
    }
    finding = 1;
    if (!next_malloc)
        next_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return next_malloc(size);
}
END
cat > load.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    void *library = dlopen("./libheap.so", RTLD_NOW | RTLD_GLOBAL);
    void *(*get)(size_t) = library ? (void *(*)(size_t))dlsym(library, "malloc") : malloc;
    void (*put)(void *) = library ? (void (*)(void *))dlsym(library, "free") : free;
    char *memory = get(100);
    memory[5] = 1;
    printf("%d\n", library && memory[5] == 1);
    put(memory);
    return 0;
}
END

make_it() {
    compiler=$1 name=$2
    shift 2
    "$SERIATIM" "$compiler" -g -O1 -pthread "$@" -o "$name" || fail "$name should build"
}
make_it cc own use.c heap.c -DSBRK
make_it cc spinning use.c heap.c -DSPIN
make_it cc libheap.so -shared -fPIC heap.c
make_it cc linked use.c -L. -lheap "-Wl,-rpath,$PWD"
make_it cc dlopened load.c -ldl
make_it cc wrapped use.c wrap.c -ldl
make_it c++ new new.cpp
cc -O1 -shared -fPIC -pthread heap.c -o libplain.so
make_it cc partly use.c -L. -lplain "-Wl,-rpath,$PWD"

# record NAME OPTIONS...: the output is the plain program's, and the trace is valid.
record() {
    name=$1
    shift
    run record -o "$name.srt" "$@" -- ./"$name"
    expect_status 0
    expect_same plain out
    ! grep -q 'could not be recorded' err || fail "nothing should be lost"
    run validate "$name.srt"
    expect_status 0
}
for name in own spinning linked dlopened wrapped partly new; do
    ./$name > plain || fail "$name should run plainly"
    record $name
    record $name --mode parallel
    record $name --quantum 3
    record $name --scheduler random --quantum 1 --seed 4
done

# In front of everything else, also of us.
make_it cc preloaded use.c
./preloaded > plain
for library in heap plain; do
    for mode in serial parallel; do
        run record --mode $mode -o p.srt -- env LD_PRELOAD=./lib$library.so ./preloaded
        expect_status 0
        expect_same plain out
        run validate p.srt
        expect_status 0
    done
done

# The same seed gives the same run, and predictions are confirmed.
for name in own linked new; do
    for i in 1 2; do
        "$SERIATIM" record -q --quantum 5 --seed 2 -o $i.srt -- ./$name > out 2> err
        "$SERIATIM" convert $i.srt -o $i.std > out 2> err
    done
    expect_same 1.std 2.std
done
for name in own linked; do
    run run --effort quick -o found-$name -- ./$name
    expect_status 1
    expect_out 'Confirmed'
done
finish
