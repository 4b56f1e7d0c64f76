/* SPDX-License-Identifier: MIT */
/*
 * channel.h - the memory that the program's runtime and the recorder share.
 *
 * The recorder (src/record) creates it as a memory file, of ser_channel_size bytes and what
 * it hands over besides, seals its size, and starts the program with the file's descriptor
 * open, at one of a few high numbers where the runtime looks (handover.h). The first process
 * that finds it and puts its process number into `owner` records; descendants of it and
 * others do not.
 *
 * Nothing else is handed over, in no run: environment, descriptors and the place of the stack are
 * those of the plain program in each, so that a replay cannot differ from the recorded run by them.
 *
 * A ring carries records of 32 bytes from the threads of the program to the
 * recorder.
 *
 * Serial mode: there is one ring (0), written by the thread that has the token, in the
 * order of the run; `clock` means nothing in events.
 *
 * Parallel mode: ring 0 carries definitions only (TEXT, SITE, SITE_LINE, SITE_CODE,
 * MODULE), which have no clock; every thread claims one of the rings from 1 on, the
 * first that is free. So behind a ring that was never claimed there is no other, and
 * memory is touched only for as many rings as there were threads at once.
 * Records sorted by (clock, thread) are the run. Clocks of one thread rise with
 * every event (CHUNK and other followers have the clock of what they follow), as
 * do those of the accesses of one cache line and of all operations of locks,
 * conditions, threads and the like. A definition is published before the first
 * record that uses it, so the recorder
 *   1. reads next_clock of every claimed ring (1 and up), then their heads, and
 *      then once more which rings are claimed, and their next_clock: a new thread's
 *      ring may have been claimed after it was passed,
 *   2. reads the head of ring 0 and takes all that is there,
 *   3. takes from the rings whatever is below the smallest (next_clock, thread)
 *      of all rings with claimed 1; rings with claimed 2 hold nothing back.
 * That never gets stuck: the ring that holds the smallest can always be emptied;
 * and when a ring is full, its thread raises the next_clock of every thread that
 * does nothing (it computes, sleeps or waits) beyond its own. A thread raised so
 * gives its next record a clock that is at least that high. When the program is
 * dead, everything up to the heads may be taken, sorted. A ring with claimed 2 that
 * has been emptied (head == tail) may be claimed again by another thread; its
 * next_clock is set before claimed becomes 1, and head goes on from where it was.
 * END has the clock UINT64_MAX.
 *
 * `head` counts records written, `tail` records taken; a ring is full when they
 * differ by its size. A writer publishes head with release order after the
 * records; a process that dies in between loses only records not yet published. Head is
 * published with every event, so that a crash or kill -9 loses none. The recorder
 * publishes tail, then counts `room` up and wakes it (FUTEX_WAKE, not private).
 * The recorder keeps what it has taken, so that nothing is lost if the program is
 * killed; and if the recorder is gone (recorder_alive 0, or its process does not
 * exist), the runtime stops recording and the program goes on.
 * Once `stop` is set, records written later than it may or may not appear.
 * Unless `pause` and `paused` are the same even number, plain accesses may have no record;
 * everything else has.
 *
 * If there is no ring, or no number, left for a thread, the recording ends before that
 * thread does anything: at a record THREAD_LIMIT, which comes before it in the order of the
 * run. In parallel mode that stands alone in a ring that was kept for it; in serial mode it
 * is the last in the ring.
 */
#ifndef SER_CONTRACT_CHANNEL_H
#define SER_CONTRACT_CHANNEL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/schedule.h"

#define SER_CHANNEL_MAGIC UINT64_C(0x33304c4e48434553) /* "SECHNL03" */

enum {
    SER_CHANNEL_VERSION = 7,
    SER_CHANNEL_RINGS = 4096,                    /* at most */
    SER_CHANNEL_THREADS = SER_CHANNEL_RINGS - 2, /* at once, in parallel mode */
    SER_THREADS = 65535,        /* in all: numbers have 16 bits, and the last one is no thread's */
    SER_RING_RECORDS = 1 << 15, /* a power of two: 1 MiB a ring */
};

/*
 * What a record says. Below SER_RAW_FIRST: an operation of the trace, numbered as
 * ser_op, `object` being the address of the variable, lock, condition, barrier or
 * semaphore; of the other thread's number for fork and join; of the label's text
 * number for begin (0: none); of the function's site for call and return. `value` of skip, call
 * and return is the number of operations that the thread has elided directly before
 * (elision.h).
 */
enum ser_raw_op {
    SER_RAW_FIRST = 128, /* operations of the trace are below */
    /* object: number of the text (from 1), value: length in bytes; the bytes follow in as many
     * further records as they need */
    SER_RAW_TEXT = 128,
    /* site: number (from 1); object: text of file, value: text of function; clock: text of name
     * (0: none). Line and column follow in a SITE_LINE */
    SER_RAW_SITE = 129,
    /* site: number; object: line; value: column, and in the upper half the text of the guards of a
     * read (0: none); clock: flags (contract/abi.h) */
    SER_RAW_SITE_LINE = 130,
    /* site: number; object: code address (TSan ABI) instead of SITE */
    SER_RAW_SITE_CODE = 131,
    /* object: where it is loaded, value: text of its path */
    SER_RAW_MODULE = 132,
    /* thread: its number; object: lowest address of its stack, value: size */
    SER_RAW_THREAD = 133,
    /* object: address, value: size: new variables from here on (heap) */
    SER_RAW_ALLOCATE = 134,
    /* object: address of a block of an ALLOCATE record (0 size: all of it) */
    SER_RAW_FREE = 135,
    /* object: address, value: size: a local variable begins its life */
    SER_RAW_LOCAL = 136,
    /* object: address, value: size: new variables (mmap) */
    SER_RAW_MAP = 137,
    /* object: address, value: size; one event a cell. Parallel mode: in pieces; `size` is 1 for
     * all but the first of a call (ser_range_kind) */
    SER_RAW_RANGE_READ = 138,
    /* the same */
    SER_RAW_RANGE_WRITE = 139,
    /* value: how many events could not be recorded here; object: why (text) */
    SER_RAW_LOST = 140,
    /* a thread that did not come back lost its token; thread: which */
    SER_RAW_STOLEN = 141,
    /* deadlock: thread waits for object; value: the thread that holds it, UINT64_MAX if none;
     * site: where; size: its kind, or SER_BLOCKED_IN_KERNEL for a futex that we do not see */
    SER_RAW_BLOCKED = 142,
    /* all BLOCKED records of a deadlock have been written */
    SER_RAW_DEADLOCK = 143,
    /* the program ends; value: 0 exit, 1 _exit, 2 a signal; object: status */
    SER_RAW_END = 144,
    /* accesses of more than 8 bytes: the value's next 8 bytes, after the event */
    SER_RAW_CHUNK = 145,
    /* a schedule was followed to its end */
    SER_RAW_REPLAYED = 146,
    /* or not: thread should have gone on; object: in which stretch; value: why (ser_divergence);
     * site: where it waits */
    SER_RAW_DIVERGED = 147,
    /* an answer of the system (contract/inputs.h): object: which function; value: the answer;
     * size: 1 if an answer should have been given back, but was not */
    SER_RAW_INPUT = 148,
    /* what the thread's last INPUT has filled: `size` bytes, at most 16, in object and value.
     * There may be several */
    SER_RAW_INPUT_BYTES = 149,
    /* object: address, value: size: accesses there were elided before (elision.h); variables
     * from here on are new, with the names they had; size: 1 if there is a lock or the like,
     * which is new, too */
    SER_RAW_RENEW = 150,
    /* the thread's next event comes after the first `value` operations of thread `object`, some
     * of which were elided, in any reordering. If that is the thread itself: it ends with
     * operations that were elided */
    SER_RAW_AFTER = 151,
    /* the recording ends here, for lack of rings or numbers of threads: value: how many there
     * can be, SER_THREADS in all or fewer at once */
    SER_RAW_THREAD_LIMIT = 152,
    /* value: how many turns there were (setting `turns`), before END */
    SER_RAW_TURNS = 153,
    /* the thread runs code that is not instrumented; value: ser_abi_outside */
    SER_RAW_OUTSIDE = 154,
    /* a turn by place was given up, and the next one begins: as DIVERGED */
    SER_RAW_TURN_LOST = 155,
    /* object: address, value: size: the program is about to free this memory, an operation; `size`
     * as in RANGE_WRITE. Bytes that belong to no block are not meant */
    SER_RAW_RANGE_FREE = 156,
    /* object: identity of an object that has no address (managed.h), value: text of the name of its
     * class. A definition */
    SER_RAW_OBJECT = 157,
    /* bytes between threads of the program, an operation: object: which stream (ser_stream_kind in
     * the highest byte), value: how many; size: what was done (ser_stream_use) */
    SER_RAW_STREAM = 158,
    /* object: a stream, value: so many bytes that were recorded as sent were not, after all */
    SER_RAW_UNSENT = 159,
    /* object: site of the access that the thread makes next; value: the operand of its guards
     * (contract/guards.def). Object 0: there are no more */
    SER_RAW_OPERAND = 160,
    /* the thread ends with an exception that nobody catches; object: text of its name and place */
    SER_RAW_UNCAUGHT = 161,
    /* object: address of what code that is not instrumented is given, or was; an operation. Threads
     * may wait for each other there */
    SER_RAW_MEETS = 162,
    /* object: address of what the thread writes next, perhaps for the first time; value: what it
     * holds before */
    SER_RAW_HELD = 163,
    /* object and value: addresses of two words that are written in one indivisible step, an
     * operation */
    SER_RAW_PAIR_WRITE = 164,
    /* the same: that are read and written */
    SER_RAW_PAIR_UPDATE = 165,
};

/* `size` of a range: a further piece of it; or all its cells are accessed in one indivisible step.
 */
enum ser_range_kind { SER_RANGE_CONTINUES = 1, SER_RANGE_AT_ONCE = 2 };

/* Records that are operations of the program, besides those of the trace itself, and what the
 * first event of each is: X(record, operation). */
#define SER_RAW_OPERATIONS(X)                                                                      \
    X(RANGE_READ, READ)                                                                            \
    X(RANGE_WRITE, WRITE)                                                                          \
    X(RANGE_FREE, FREE)                                                                            \
    X(PAIR_WRITE, WRITE)                                                                           \
    X(PAIR_UPDATE, RMW)                                                                            \
    X(STREAM, TAKE)                                                                                \
    X(MEETS, TAKE)

/* Pipes, sockets and the like that both ends of may be in the program. */
enum ser_stream_kind {
    SER_STREAM_PIPE = 1,
    SER_STREAM_SOCKET = 2,
    SER_STREAM_COUNTER = 3,  /* eventfd: what is counted are units, not bytes */
    SER_STREAM_LISTENER = 4, /* connections */
    SER_STREAM_SIGNALS = 5,  /* of the process, that are sent and awaited */
    SER_STREAM_LOCK =
        6, /* of a file: a thread that takes it comes after those that have released it */
    SER_STREAM_OUTSIDE = 7,    /* all streams with an end in another process; the recorder's own */
    SER_STREAM_TEAM = 8,       /* of threads: its start and end, and tasks (OpenMP) */
    SER_STREAM_QUEUE = 9,      /* of a library, in memory; or a pool of threads */
    SER_STREAM_SEMAPHORE = 10, /* of the kernel (semop) */
    SER_STREAM_MAILBOX = 11,   /* a message queue of the kernel */
};

enum ser_stream_use {
    SER_STREAM_UNSENT = 0,    /* no operation: a record SER_RAW_UNSENT */
    SER_STREAM_SENT = 1,      /* recorded before it is done; 0 bytes: no more will come */
    SER_STREAM_SENT_LATE = 2, /* the same, and it may have to wait for room */
    SER_STREAM_RECEIVED = 3,  /* 0 bytes: the end was found */
    SER_STREAM_READY = 4,     /* it was found that something can be received */
    SER_STREAM_EMPTY = 5,     /* or that nothing can */
    SER_STREAM_WATCHED = 6,   /* from now on an epoll looks at it */
    SER_STREAM_BEGINS = 7,    /* a call begins, of a semaphore or mailbox; 1: it may do more than
                                 what is recorded of it */
    SER_STREAM_ENDS = 8,      /* and has ended */
};

enum { SER_BLOCKED_IN_KERNEL = 255 };

/* Records of inputs stand in traces as they are (replay/inputs.h), so these numbers never change;
 * a new kind of record gets the next number, and none is given twice. */
static_assert(SER_RAW_INPUT == 148 && SER_RAW_INPUT_BYTES == 149, "they are in traces");

typedef struct ser_record {
    uint64_t object;
    uint64_t value;
    uint64_t clock;  /* parallel mode */
    uint32_t site;   /* 0: none */
    uint16_t thread; /* from 0, the initial thread, in the order of creation */
    uint8_t op;      /* ser_op or ser_raw_op */
    uint8_t size;    /* of an access, 1 to 16 bytes; else 0 */
} ser_record;

typedef struct ser_ring {
    _Alignas(64) uint64_t head; /* written by the program */
    uint32_t claimed;           /* 1: a thread writes here; 2: it has ended, nothing more comes */
    uint32_t thread;
    uint64_t next_clock;        /* parallel: nothing with a lower clock will come */
    _Alignas(64) uint64_t tail; /* written by the recorder */
    uint32_t room;              /* futex: counts up whenever a full ring got room */
    ser_record records[SER_RING_RECORDS];
} ser_ring;

/* Something that lies behind the rings. */
typedef struct ser_channel_part {
    uint64_t start; /* bytes from the beginning of the channel */
    uint64_t size;  /* 0: it is not there */
} ser_channel_part;

typedef struct ser_channel {
    uint64_t magic;
    uint32_t version; /* 6 */
    uint32_t parallel;
    int32_t owner;    /* process that records; 0: none yet */
    int32_t recorder; /* the recorder's process */
    uint32_t recorder_alive;
    uint32_t stop;       /* set by either: record nothing more (limit, full disk, deadlock) */
    uint32_t published;  /* futex: counts up when the recorder should look (half full, end) */
    uint32_t ended;      /* the program's last record has been published */
    uint64_t lost;       /* events that could not be recorded, in all */
    uint64_t step_limit; /* replay: steps that may be made in all; 0: any number. Set by the
                            recorder, which counts `step_word` (futex) up when it raises it */
    uint32_t step_word;
    uint32_t ring_count;       /* that there are, set by the recorder: in serial mode 1 */
    ser_channel_part settings; /* text, with the 0 behind it: a=1:b=2 (options.h) */
    ser_channel_part schedule; /* turns to follow (schedule.h) */
    ser_channel_part inputs;   /* records with answers to give back (inputs.h) */
    ser_channel_part log;      /* lines for developers (logbook.h) */
    uint32_t log_wanted;       /* bits of topics and levels */
    uint32_t elides;           /* 1: also while a schedule is followed; 0: then in gaps alone */
    ser_channel_part gaps;     /* of the run that is replayed */
    uint32_t pause;            /* counted up by the recorder. Odd: plain accesses need no record */
    uint32_t paused; /* answer of the runtime's watchdog, which may not run yet: the number
                        that it has followed. Even: all that is done from now on has its
                        record, and all before has been published */
    ser_ring rings[SER_CHANNEL_RINGS];
} ser_channel;

/* Runtime and recorder may be of different builds. A change of a layout changes
 * SER_CHANNEL_VERSION as well. */
#define SER_LIES_AT(type, field, place)                                                            \
    static_assert(offsetof(type, field) == (place), "runtime and recorder agree on " #type)
#define SER_IS_LARGE(type, size)                                                                   \
    static_assert(sizeof(type) == (size), "runtime and recorder agree on " #type)

SER_LIES_AT(ser_record, object, 0);
SER_LIES_AT(ser_record, value, 8);
SER_LIES_AT(ser_record, clock, 16);
SER_LIES_AT(ser_record, site, 24);
SER_LIES_AT(ser_record, thread, 28);
SER_LIES_AT(ser_record, op, 30);
SER_LIES_AT(ser_record, size, 31);
SER_IS_LARGE(ser_record, 32);

SER_LIES_AT(ser_turn, thread, 0);
SER_LIES_AT(ser_turn, woken, 4);
SER_LIES_AT(ser_turn, until, 8);
SER_LIES_AT(ser_turn, after, 16);
SER_LIES_AT(ser_turn, place, 24);
SER_LIES_AT(ser_turn, times, 32);
SER_LIES_AT(ser_turn, most, 36);
SER_LIES_AT(ser_turn, wakes, 40);
SER_LIES_AT(ser_turn, following, 44);
SER_IS_LARGE(ser_turn, 48);

SER_LIES_AT(ser_gap, before, 0);
SER_LIES_AT(ser_gap, end, 8);
SER_LIES_AT(ser_gap, thread, 16);
SER_LIES_AT(ser_gap, following, 20);
SER_IS_LARGE(ser_gap, 24);

SER_LIES_AT(ser_ring, head, 0);
SER_LIES_AT(ser_ring, claimed, 8);
SER_LIES_AT(ser_ring, thread, 12);
SER_LIES_AT(ser_ring, next_clock, 16);
SER_LIES_AT(ser_ring, tail, 64);
SER_LIES_AT(ser_ring, room, 72);
SER_LIES_AT(ser_ring, records, 80);

SER_LIES_AT(ser_channel_part, start, 0);
SER_LIES_AT(ser_channel_part, size, 8);
SER_IS_LARGE(ser_channel_part, 16);

SER_LIES_AT(ser_channel, magic, 0);
SER_LIES_AT(ser_channel, version, 8);
SER_LIES_AT(ser_channel, parallel, 12);
SER_LIES_AT(ser_channel, owner, 16);
SER_LIES_AT(ser_channel, recorder, 20);
SER_LIES_AT(ser_channel, recorder_alive, 24);
SER_LIES_AT(ser_channel, stop, 28);
SER_LIES_AT(ser_channel, published, 32);
SER_LIES_AT(ser_channel, ended, 36);
SER_LIES_AT(ser_channel, lost, 40);
SER_LIES_AT(ser_channel, step_limit, 48);
SER_LIES_AT(ser_channel, step_word, 56);
SER_LIES_AT(ser_channel, ring_count, 60);
SER_LIES_AT(ser_channel, settings, 64);
SER_LIES_AT(ser_channel, schedule, 80);
SER_LIES_AT(ser_channel, inputs, 96);
SER_LIES_AT(ser_channel, log, 112);
SER_LIES_AT(ser_channel, log_wanted, 128);
SER_LIES_AT(ser_channel, elides, 132);
SER_LIES_AT(ser_channel, gaps, 136);
SER_LIES_AT(ser_channel, pause, 152);
SER_LIES_AT(ser_channel, paused, 156);
SER_LIES_AT(ser_channel, rings, 192);
#undef SER_LIES_AT
#undef SER_IS_LARGE

/* Is it a further piece of the operation that the thread's last record began? */
static inline bool ser_record_continues(const ser_record *record)
{
    return record->size == SER_RANGE_CONTINUES &&
           (record->op == SER_RAW_RANGE_READ || record->op == SER_RAW_RANGE_WRITE ||
            record->op == SER_RAW_RANGE_FREE);
}

/* Bytes of the shared memory with so many rings. */
static inline size_t ser_channel_size(uint32_t rings)
{
    return offsetof(ser_channel, rings) + rings * sizeof(ser_ring);
}

/* A part of a channel; null if it is not there. */
static inline void *ser_channel_at(const ser_channel *channel, ser_channel_part part)
{
    return part.size ? (char *)(uintptr_t)channel + part.start : 0;
}

/* Was the ring, of those from 1 on, ever claimed? If not, no later one was. */
static inline bool ser_ring_was_claimed(const ser_channel *channel, uint32_t ring)
{
    return ring < channel->ring_count &&
           __atomic_load_n(&channel->rings[ring].claimed, __ATOMIC_ACQUIRE) != 0;
}

#endif
