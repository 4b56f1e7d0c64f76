/* SPDX-License-Identifier: MIT */
/*
 * Calls on a FILE, which threads may share (files.h).
 *
 * Pipes and sockets behind a FILE. What the C library receives and sends, and when, depends on its
 * buffers. So a call that writes may have sent something, and one that reads may have received all
 * that was sent before (streams.h, gates). Other files cost a look at whether there is such a FILE.
 */
#include <errno.h>
#include <stdarg.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/files.h"
#include "runtime/posix/streams/streams.h"

enum { FILES = 256 };

static FILE *files[FILES]; /* that are ends of streams */
static uint32_t file_count;

static bool is_stream(const FILE *file)
{
    uint32_t count = __atomic_load_n(&file_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (__atomic_load_n(&files[i], __ATOMIC_RELAXED) == file)
            return file != 0;
    return false;
}

/* Puts it in the place of another one. False: that is not there. */
static bool replace(FILE *file, FILE *by)
{
    for (uint32_t i = 0; i < file_count; i++)
        if (files[i] == file) {
            __atomic_store_n(&files[i], by, __ATOMIC_RELAXED);
            return true;
        }
    return false;
}

static void add(FILE *file)
{
    if (replace(0, file) || file_count == FILES)
        return;
    files[file_count] = file;
    __atomic_store_n(&file_count, file_count + 1, __ATOMIC_RELEASE);
}

static FILE *opened(FILE *file)
{
    int saved = errno;
    ser_thread *me = file && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        ser_stream_ends ends = ser_stream_find(fileno(file));
        if (ends.in || ends.out)
            add(file);
        ser_leave_sync(me);
    }
    errno = saved;
    return file;
}

static ser_stream_ends ends_of(FILE *file)
{
    ser_stream_ends ends = {0, 0};
    ser_thread *me = is_stream(file) && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        ends = ser_stream_find(fileno(file));
        ser_leave_sync(me);
    }
    return ends;
}

static void sends(FILE *file)
{
    ser_real_find();
    if (is_stream(file))
        ser_gate_open(ends_of(file).out);
}

static void has_received(FILE *file)
{
    if (is_stream(file))
        ser_gate_pass(ends_of(file).in);
}

SER_EXPORT FILE *fdopen(int descriptor, const char *mode)
{
    ser_real_find();
    return opened(ser_real.fdopen(descriptor, mode));
}

SER_EXPORT FILE *fopen(const char *path, const char *mode)
{
    ser_real_find();
    return opened(ser_real.fopen(path, mode));
}

SER_EXPORT FILE *fopen64(const char *path, const char *mode)
{
    ser_real_find();
    return opened(ser_real.fopen64(path, mode));
}

SER_EXPORT int fclose(FILE *file)
{
    sends(file); /* its end */
    ser_file_end(ser_file_begin(file, SER_FILE_MOVES, true));
    ser_file_forget(file);
    ser_file_lock_close(file ? fileno(file) : -1);
    ser_thread *me = is_stream(file) && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        replace(file, 0);
        ser_leave_sync(me);
    }
    return ser_real.fclose(file);
}

/* The call, with the FILE locked if it is shared, also if the thread is cancelled in it. */
#define USE(result, file, use, call)                                                               \
    do {                                                                                           \
        ser_file *begun = ser_file_begin(file, use, true);                                         \
        if (!begun) {                                                                              \
            (result) = call;                                                                       \
            break;                                                                                 \
        }                                                                                          \
        pthread_cleanup_push(ser_file_end, begun);                                                 \
        (result) = call;                                                                           \
        pthread_cleanup_pop(1);                                                                    \
    } while (0)

#define SER_X(result, name, parameters, arguments, file)                                           \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        result got;                                                                                \
        ser_real_find();                                                                           \
        USE(got, file, SER_FILE_READS, ser_real.name arguments);                                   \
        has_received(file);                                                                        \
        return got;                                                                                \
    }
SER_REAL_FILE_READS(SER_X)
#undef SER_X

#define SER_X(result, name, parameters, arguments, file)                                           \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        result got;                                                                                \
        sends(file);                                                                               \
        USE(got, file, SER_FILE_APPENDS, ser_real.name arguments);                                 \
        return got;                                                                                \
    }
SER_REAL_FILE_WRITES(SER_X)
#undef SER_X

#define SER_X(result, name, parameters, arguments, file, use)                                      \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        result got;                                                                                \
        ser_real_find();                                                                           \
        USE(got, file, SER_FILE_##use, ser_real.name arguments);                                   \
        return got;                                                                                \
    }
SER_REAL_FILE_MOVES(SER_X)
#undef SER_X

#define SER_X(result, name, parameters, arguments, file, use)                                      \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        ser_real_find();                                                                           \
        if (SER_FILE_##use == SER_FILE_APPENDS)                                                    \
            sends(file);                                                                           \
        ser_file_begin(file, SER_FILE_##use, false);                                               \
        result got = ser_real.name arguments;                                                      \
        if (SER_FILE_##use == SER_FILE_READS)                                                      \
            has_received(file);                                                                    \
        return got;                                                                                \
    }
SER_REAL_FILE_UNLOCKED(SER_X)
#undef SER_X

SER_EXPORT int getchar(void)
{
    int got;
    ser_real_find();
    USE(got, stdin, SER_FILE_READS, ser_real.getchar());
    has_received(stdin);
    return got;
}

SER_EXPORT int getchar_unlocked(void)
{
    ser_real_find();
    ser_file_begin(stdin, SER_FILE_READS, false);
    int got = ser_real.getchar_unlocked();
    has_received(stdin);
    return got;
}

SER_EXPORT void rewind(FILE *file)
{
    ser_real_find();
    ser_file *begun = ser_file_begin(file, SER_FILE_MOVES, true);
    ser_real.rewind(file);
    ser_file_end(begun);
}

/* What is written is the same, whenever. */
SER_EXPORT int fflush(FILE *file)
{
    sends(file);
    return ser_real.fflush(file);
}

/* Names that the headers of the C library give to fscanf, scanf and fprintf. */
int __isoc99_fscanf(FILE *file, const char *format, ...);
int __isoc99_scanf(const char *format, ...);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list more);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);

static int scan(FILE *file, const char *format, va_list more)
{
    int got;
    ser_real_find();
    USE(got, file, SER_FILE_READS, ser_real.__isoc99_vfscanf(file, format, more));
    has_received(file);
    return got;
}

SER_EXPORT int __isoc99_fscanf(FILE *file, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int got = scan(file, format, more);
    va_end(more);
    return got;
}

SER_EXPORT int __isoc99_scanf(const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int got = scan(stdin, format, more);
    va_end(more);
    return got;
}

SER_EXPORT int fwprintf(FILE *file, const wchar_t *format, ...)
{
    va_list more;
    int length;
    sends(file);
    va_start(more, format);
    USE(length, file, SER_FILE_APPENDS, ser_real.vfwprintf(file, format, more));
    va_end(more);
    return length;
}

SER_EXPORT int vfprintf(FILE *file, const char *format, va_list more)
{
    int length;
    sends(file);
    USE(length, file, SER_FILE_APPENDS, ser_real.vfprintf(file, format, more));
    return length;
}

SER_EXPORT int __vfprintf_chk(FILE *file, int flag, const char *format, va_list more)
{
    int length;
    sends(file);
    USE(length, file, SER_FILE_APPENDS, ser_real.__vfprintf_chk(file, flag, format, more));
    return length;
}

SER_EXPORT int fprintf(FILE *file, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int length = vfprintf(file, format, more);
    va_end(more);
    return length;
}

SER_EXPORT int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int length = __vfprintf_chk(file, flag, format, more);
    va_end(more);
    return length;
}
