/* SPDX-License-Identifier: MIT */
/*
 * Random numbers, and the numbers of processes and threads.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/posix/inputs/inputs.h"
#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

static ser_runtime_world *const world = &ser_the_world;

/* --- chance ----------------------------------------------------------------- */

static int64_t ask_bytes(void *bytes, size_t size, bool whole,
                         int64_t (*make)(const ser_question *asked), unsigned argument)
{
    return ser_ask(&(ser_question){.kind = SER_ASKS_RANDOM,
                                   .detail = (uint32_t)size,
                                   .make = make,
                                   .argument = argument,
                                   .bytes = bytes,
                                   .size = size,
                                   .whole = whole});
}

static int64_t make_random(const ser_question *asked)
{
    ssize_t got = ser_real.getrandom(asked->bytes, asked->size, asked->argument);
    return got < 0 ? -errno : got;
}

SER_EXPORT ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    return ser_with_errno(ask_bytes(bytes, size, false, make_random, flags));
}

static int64_t make_entropy(const ser_question *asked)
{
    return ser_real.getentropy(asked->bytes, asked->size) < 0 ? -errno : 0;
}

SER_EXPORT int getentropy(void *bytes, size_t size)
{
    return (int)ser_with_errno(ask_bytes(bytes, size, true, make_entropy, 0));
}

static int64_t make_arc4random_buf(const ser_question *asked)
{
    ser_real.arc4random_buf(asked->bytes, asked->size);
    return 0;
}

SER_EXPORT void arc4random_buf(void *bytes, size_t size)
{
    ask_bytes(bytes, size, true, make_arc4random_buf, 0);
}

static int64_t make_arc4random(const ser_question *asked)
{
    return asked->argument ? ser_real.arc4random_uniform(asked->argument) : ser_real.arc4random();
}

SER_EXPORT uint32_t arc4random_uniform(uint32_t below)
{
    return (uint32_t)ser_ask(&(ser_question){
        .kind = SER_ASKS_NUMBER, .detail = below, .make = make_arc4random, .argument = below});
}

SER_EXPORT uint32_t arc4random(void)
{
    return (uint32_t)ser_ask(&(ser_question){.kind = SER_ASKS_NUMBER, .make = make_arc4random});
}

static int64_t make_device_number(const ser_question *asked)
{
    return ser_real._ZNSt13random_device9_M_getvalEv(asked->object);
}

/* std::random_device::operator(), which asks the processor. */
unsigned _ZNSt13random_device9_M_getvalEv(void *device);
SER_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void *device)
{
    return (unsigned)ser_ask(
        &(ser_question){.kind = SER_ASKS_NUMBER, .make = make_device_number, .object = device});
}

static int64_t make_read(const ser_question *asked)
{
    ssize_t got = ser_real.read((int)asked->argument, asked->bytes, asked->size);
    return got < 0 ? -errno : got;
}

/* Is it /dev/random or /dev/urandom? */
static bool is_random(int descriptor)
{
    struct stat status;
    return world->channel && world->options.inputs && fstat(descriptor, &status) == 0 &&
           S_ISCHR(status.st_mode) && major(status.st_rdev) == 1 &&
           (minor(status.st_rdev) == 8 || minor(status.st_rdev) == 9);
}

SER_EXPORT ssize_t read(int descriptor, void *bytes, size_t size)
{
    if (!is_random(descriptor))
        return ser_stream_read(descriptor, bytes, size);
    return ser_with_errno(ask_bytes(bytes, size, false, make_read, (unsigned)descriptor));
}

/* --- processes -------------------------------------------------------------- */

/* Recorded process numbers that the program was given for its own. */
static struct {
    pid_t given, real;
} aliases[64];
static unsigned alias_count;

static int64_t make_process(const ser_question *asked)
{
    switch (asked->kind) {
    case SER_ASKS_PARENT:
        return ser_real.getppid();
    case SER_ASKS_THREAD:
        return ser_real.gettid();
    default:
        return ser_real.getpid();
    }
}

static pid_t ask_process(unsigned kind)
{
    return (pid_t)ser_ask(&(ser_question){.kind = kind, .make = make_process});
}

/* Two threads may note the same one: both notes are true. */
static pid_t ask_own(unsigned kind)
{
    pid_t number = ask_process(kind);
    pid_t real =
        ser_inputs_are_given() ? (pid_t)make_process(&(ser_question){.kind = kind}) : number;
    unsigned place = number == real ? 0 : __atomic_load_n(&alias_count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < place; i++)
        if (aliases[i].given == number)
            return number;
    if (number != real && place < sizeof aliases / sizeof *aliases) {
        aliases[place].given = number;
        aliases[place].real = real;
        __atomic_store_n(&alias_count, place + 1, __ATOMIC_RELEASE);
    }
    return number;
}

SER_EXPORT pid_t getpid(void)
{
    return ask_own(SER_ASKS_PROCESS);
}

SER_EXPORT pid_t gettid(void)
{
    return ask_own(SER_ASKS_THREAD);
}

SER_EXPORT pid_t getppid(void)
{
    return ask_process(SER_ASKS_PARENT);
}

/* The real number of the process that the program means. */
static pid_t meant(pid_t number)
{
    ser_real_find();
    unsigned count = __atomic_load_n(&alias_count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < count; i++)
        if (aliases[i].given == number || aliases[i].given == -number)
            return number < 0 ? -aliases[i].real : aliases[i].real;
    return number;
}

SER_EXPORT int kill(pid_t process, int number)
{
    process = meant(process);
    ser_gate_open(ser_gate_signals());
    return ser_real.kill(process, number);
}

SER_EXPORT int tgkill(pid_t process, pid_t thread, int number)
{
    process = meant(process);
    ser_gate_open(ser_gate_signals());
    return ser_real.tgkill(process, meant(thread), number);
}

SER_EXPORT int sigqueue(pid_t process, int number, const union sigval value)
{
    process = meant(process);
    ser_gate_open(ser_gate_signals());
    return ser_real.sigqueue(process, number, value);
}
