/* SPDX-License-Identifier: MIT */
/*
 * annotate.h - how a program says what is meant to be atomic.
 *
 *     SERIATIM_ATOMIC_BEGIN("transfer");      a block, from here ...
 *     SERIATIM_ATOMIC_END();                  ... to here, by the same thread
 *
 *     SERIATIM_ATOMIC_SCOPE("transfer");      to the end of the enclosing braces, however they
 *                                             are left; allowed where declarations are
 *
 *     SERIATIM_ATOMIC_FUNCTION
 *     void transfer(struct account *a) {...}  every call of the function
 *
 *     SERIATIM_IGNORE_BEGIN();                what this thread accesses from here to
 *     SERIATIM_IGNORE_END();                  here is not recorded
 *
 *     SERIATIM_IGNORE_FUNCTION                accesses in the function's own code are not
 *     void count(void) {...}                  recorded
 *
 * Blocks nest; the outermost counts. A name may be a null pointer; it must live as
 * long as the program.
 *
 * The header works with C89 to C23 and C++98 to C++23, gcc and clang. A program that
 * was built without seriatim runs as if nothing was there: the functions are weak, and a
 * call costs one comparison. The two _FUNCTION macros act where seriatim's compiler
 * front ends compile; elsewhere they are nothing. If SERIATIM_DISABLE is defined before
 * the header is included, all of it is compiled away.
 */
#ifndef SERIATIM_ANNOTATE_H
#define SERIATIM_ANNOTATE_H

#define SERIATIM_JOIN_(a, b)       a##b
#define SERIATIM_JOIN_AGAIN_(a, b) SERIATIM_JOIN_(a, b)
#define SERIATIM_UNIQUE_(stem)     SERIATIM_JOIN_AGAIN_(stem, __LINE__)

#if defined(SERIATIM_DISABLE) || !defined(__GNUC__)

#define SERIATIM_ATOMIC_BEGIN(name) ((void)0)
#define SERIATIM_ATOMIC_END()       ((void)0)
#if defined(__GNUC__)
#define SERIATIM_ATOMIC_SCOPE(name)                                                                \
    typedef int SERIATIM_UNIQUE_(seriatim_scope_) __attribute__((unused))
#else
#define SERIATIM_ATOMIC_SCOPE(name) typedef int SERIATIM_UNIQUE_(seriatim_scope_)
#endif
#define SERIATIM_IGNORE_BEGIN() ((void)0)
#define SERIATIM_IGNORE_END()   ((void)0)
#define SERIATIM_ATOMIC_FUNCTION
#define SERIATIM_IGNORE_FUNCTION

#else

#ifdef __cplusplus
extern "C" {
#endif
extern void __seriatim_atomic_begin(const char *name, const char *file, int line,
                                    const char *function) __attribute__((weak));
extern void __seriatim_atomic_end(const char *file, int line, const char *function)
    __attribute__((weak));
extern void __seriatim_ignore_begin(void) __attribute__((weak));
extern void __seriatim_ignore_end(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif

#define SERIATIM_HERE_ __FILE__, __LINE__, (__extension__ __FUNCTION__)

#define SERIATIM_ATOMIC_BEGIN(name)                                                                \
    (__seriatim_atomic_begin ? __seriatim_atomic_begin((name), SERIATIM_HERE_) : (void)0)
#define SERIATIM_ATOMIC_END()                                                                      \
    (__seriatim_atomic_end ? __seriatim_atomic_end(SERIATIM_HERE_) : (void)0)
#define SERIATIM_IGNORE_BEGIN() (__seriatim_ignore_begin ? __seriatim_ignore_begin() : (void)0)
#define SERIATIM_IGNORE_END()   (__seriatim_ignore_end ? __seriatim_ignore_end() : (void)0)

#if defined(__clang__)
#define SERIATIM_ATOMIC_FUNCTION __attribute__((annotate("seriatim_atomic")))
#define SERIATIM_IGNORE_FUNCTION __attribute__((annotate("seriatim_ignore")))
#else
#define SERIATIM_ATOMIC_FUNCTION
#define SERIATIM_IGNORE_FUNCTION
#endif

/* The rest is what SERIATIM_ATOMIC_SCOPE is made of. It leaves no traces of its own. */
#if defined(__clang__) && defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define SERIATIM_SILENT_                                                                           \
    __attribute__((always_inline, unused, disable_sanitizer_instrumentation)) __inline__
#endif
#endif
#ifndef SERIATIM_SILENT_
#define SERIATIM_SILENT_ __attribute__((always_inline, unused)) __inline__
#endif

struct seriatim_scope_ {
    const char *file, *function;
    int line;
#ifdef __cplusplus
    SERIATIM_SILENT_
    seriatim_scope_(const char *name, const char *file_, int line_, const char *function_)
        : file(file_), function(function_), line(line_)
    {
        if (__seriatim_atomic_begin)
            __seriatim_atomic_begin(name, file, line, function);
    }
    SERIATIM_SILENT_
    ~seriatim_scope_()
    {
        if (__seriatim_atomic_end)
            __seriatim_atomic_end(file, line, function);
    }

  private:
    seriatim_scope_(const seriatim_scope_ &);
    seriatim_scope_ &operator=(const seriatim_scope_ &);
#endif
};

#ifdef __cplusplus

#define SERIATIM_ATOMIC_SCOPE(name)                                                                \
    seriatim_scope_ SERIATIM_UNIQUE_(seriatim_scope_at_)((name), SERIATIM_HERE_)

#else

SERIATIM_SILENT_ static struct seriatim_scope_
seriatim_scope_begin_(const char *name, const char *file, int line, const char *function)
{
    struct seriatim_scope_ scope;
    scope.file = file;
    scope.function = function;
    scope.line = line;
    if (__seriatim_atomic_begin)
        __seriatim_atomic_begin(name, file, line, function);
    return scope;
}

SERIATIM_SILENT_ static void seriatim_scope_end_(struct seriatim_scope_ *scope)
{
    if (__seriatim_atomic_end)
        __seriatim_atomic_end(scope->file, scope->line, scope->function);
}

#define SERIATIM_ATOMIC_SCOPE(name)                                                                \
    struct seriatim_scope_ SERIATIM_UNIQUE_(seriatim_scope_at_)                                    \
        __attribute__((cleanup(seriatim_scope_end_), unused)) =                                    \
            seriatim_scope_begin_((name), SERIATIM_HERE_)

#endif
#endif
#endif
