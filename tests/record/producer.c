/* SPDX-License-Identifier: MIT */
/*
 * producer: stands in for an instrumented program. It maps the channel that the
 * recorder passed, and writes records as the runtime would, from a script:
 *
 *     producer SCRIPT     lines, read one after the other:
 *
 *     OP THREAD OBJECT VALUE SIZE SITE [CLOCK]   a record; OP is a name of the trace ("r") or of a
 *                                                raw operation ("ALLOCATE"); numbers as in C
 *     text NUMBER BYTES...        a text and its bytes, up to the end of the line
 *     site NUMBER FILE LINE FUNCTION NAME        a site; texts by number
 *     ring N                      what follows goes to this ring
 *     next CLOCK                  next_clock of the ring; claims it
 *     over                        the ring's thread has ended
 *     repeat N                    the next line N times, VALUE counting up
 *     lost N                      events that the runtime could not record, in all
 *     say TEXT...                 prints a line on standard output
 *     sleep MILLISECONDS
 *     await FILE                  until there is such a file
 *     exit STATUS, signal NUMBER, hang (until a signal comes)
 *
 * At the end of the script it exits with 0. Exit status 99: its own trouble.
 */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "contract/channel.h"
#include "contract/handover.h"
#include "trace/event.h"

static ser_channel *channel;
static ser_ring *ring;

static const struct {
    const char *name;
    uint8_t op;
} raw_names[] = {
    {"SITE_CODE", SER_RAW_SITE_CODE},
    {"MODULE", SER_RAW_MODULE},
    {"THREAD", SER_RAW_THREAD},
    {"ALLOCATE", SER_RAW_ALLOCATE},
    {"FREE", SER_RAW_FREE},
    {"LOCAL", SER_RAW_LOCAL},
    {"MAP", SER_RAW_MAP},
    {"RANGE_READ", SER_RAW_RANGE_READ},
    {"RANGE_WRITE", SER_RAW_RANGE_WRITE},
    {"RANGE_FREE", SER_RAW_RANGE_FREE},
    {"LOST", SER_RAW_LOST},
    {"STOLEN", SER_RAW_STOLEN},
    {"BLOCKED", SER_RAW_BLOCKED},
    {"DEADLOCK", SER_RAW_DEADLOCK},
    {"END", SER_RAW_END},
    {"CHUNK", SER_RAW_CHUNK},
    {"AFTER", SER_RAW_AFTER},
    {"THREAD_LIMIT", SER_RAW_THREAD_LIMIT},
    {"TURNS", SER_RAW_TURNS},
};

static void give_up(const char *why)
{
    fprintf(stderr, "producer: %s\n", why);
    exit(99);
}

static void claim_channel(void)
{
    int descriptor = ser_handover_take();
    if (descriptor < 0)
        give_up("nobody records");
    channel = mmap(NULL, sizeof *channel, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (channel == MAP_FAILED || channel->magic != SER_CHANNEL_MAGIC)
        give_up("this is no channel");
    channel->owner = getpid();
    ring = &channel->rings[0];
}

static void publish(void)
{
    __atomic_fetch_add(&channel->published, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &channel->published, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static bool is_full(uint64_t head)
{
    return head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) == SER_RING_RECORDS;
}

static void put(const ser_record *record)
{
    static const struct timespec patience = {.tv_nsec = 100000000};
    uint64_t head = ring->head;
    while (is_full(head) && !channel->stop) {
        uint32_t seen = __atomic_load_n(&ring->room, __ATOMIC_SEQ_CST);
        publish();
        if (is_full(head))
            syscall(SYS_futex, &ring->room, FUTEX_WAIT, seen, &patience, NULL, 0);
        if (channel->recorder_alive == 0 || kill(channel->recorder, 0) != 0)
            channel->stop = 1;
    }
    if (channel->stop)
        return;
    ring->records[head % SER_RING_RECORDS] = *record;
    __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
    if ((head + 1) % (SER_RING_RECORDS / 2) == 0)
        publish();
}

static uint8_t find_op(const char *name)
{
    ser_op op = ser_op_by_name(name, strlen(name));
    if (op != SER_OP_COUNT)
        return (uint8_t)op;
    for (size_t i = 0; i < sizeof raw_names / sizeof *raw_names; i++)
        if (strcmp(raw_names[i].name, name) == 0)
            return raw_names[i].op;
    give_up(name);
    return 0;
}

static uint64_t number(char **rest)
{
    char *word = strtok_r(NULL, " \n", rest);
    return word ? strtoull(word, NULL, 0) : 0;
}

static void put_record(const char *word, char **rest, uint64_t times)
{
    ser_record record = {.op = find_op(word)};
    record.thread = (uint16_t)number(rest);
    record.object = number(rest);
    record.value = number(rest);
    record.size = (uint8_t)number(rest);
    record.site = (uint32_t)number(rest);
    record.clock = number(rest);
    for (uint64_t i = 0; i < times; i++, record.value++)
        put(&record);
}

static void put_text(char **rest)
{
    uint64_t text = number(rest);
    char *bytes = *rest;
    size_t length = strcspn(bytes, "\n");
    put(&(ser_record){.op = SER_RAW_TEXT, .object = text, .value = length});
    for (size_t at = 0; at < length; at += sizeof(ser_record)) {
        ser_record part = {0};
        memcpy(&part, bytes + at, length - at < sizeof part ? length - at : sizeof part);
        put(&part);
    }
}

static void put_site(char **rest)
{
    uint32_t site = (uint32_t)number(rest);
    uint64_t file = number(rest), line = number(rest), function = number(rest);
    put(&(ser_record){.op = SER_RAW_SITE,
                      .site = site,
                      .object = file,
                      .value = function,
                      .clock = number(rest)});
    put(&(ser_record){.op = SER_RAW_SITE_LINE, .site = site, .object = line, .value = 1});
}

static void wait_milliseconds(uint64_t time)
{
    nanosleep(&(struct timespec){(time_t)(time / 1000), (long)(time % 1000) * 1000000}, NULL);
}

static void await_file(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    while (access(line, F_OK) != 0)
        wait_milliseconds(10);
}

static void claim_ring(uint64_t next)
{
    __atomic_store_n(&ring->next_clock, next, __ATOMIC_RELEASE);
    ring->thread = (uint32_t)(ring - channel->rings) - 1;
    __atomic_store_n(&ring->claimed, 1, __ATOMIC_RELEASE);
}

/* Also where a sanitizer would rather handle the signal itself. */
static void die(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Words other than records; false if it is none. */
static bool obey(const char *word, char **rest)
{
    if (strcmp(word, "text") == 0)
        put_text(rest);
    else if (strcmp(word, "site") == 0)
        put_site(rest);
    else if (strcmp(word, "ring") == 0)
        ring = &channel->rings[number(rest) % SER_CHANNEL_RINGS];
    else if (strcmp(word, "next") == 0)
        claim_ring(number(rest));
    else if (strcmp(word, "over") == 0)
        __atomic_store_n(&ring->claimed, 2, __ATOMIC_RELEASE);
    else if (strcmp(word, "lost") == 0)
        channel->lost = number(rest);
    else if (strcmp(word, "say") == 0)
        printf("%s", *rest);
    else if (strcmp(word, "sleep") == 0)
        wait_milliseconds(number(rest));
    else if (strcmp(word, "await") == 0)
        await_file(*rest);
    else if (strcmp(word, "exit") == 0)
        exit((int)number(rest));
    else if (strcmp(word, "signal") == 0)
        die((int)number(rest));
    else if (strcmp(word, "hang") == 0)
        pause();
    else
        return false;
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    char line[4096], *rest;
    uint64_t times = 1;
    FILE *script = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!script)
        give_up("cannot read the script");
    claim_channel();
    while (fgets(line, sizeof line, script)) {
        char *word = strtok_r(line, " \n", &rest);
        if (!word || *word == '#')
            continue;
        if (strcmp(word, "repeat") == 0) {
            times = number(&rest);
            continue;
        }
        if (!obey(word, &rest))
            put_record(word, &rest, times);
        times = 1;
    }
    fclose(script);
    channel->ended = 1;
    publish();
    return 0;
}
