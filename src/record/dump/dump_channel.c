/* SPDX-License-Identifier: MIT */
/*
 * The channel has no name, but its recorder keeps a descriptor of it, which /proc shows. What is
 * printed of a running program is not a snapshot of one moment.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output/print.h"
#include "record/dump/dump.h"

static bool is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* A descriptor of the process's channel, opened; -1: it has none, or is not ours to look at. */
static int open_channel_of(const char *process)
{
    static const char wanted[] = "/memfd:seriatim-channel";
    char path[64], target[sizeof wanted] = "";
    int found = -1;
    snprintf(path, sizeof path, "/proc/%.20s/fd", process);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && found < 0 && (entry = readdir(folder));) {
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        if (length == sizeof target - 1 && memcmp(target, wanted, (size_t)length) == 0)
            found = openat(dirfd(folder), entry->d_name, O_RDONLY | O_CLOEXEC);
    }
    if (folder)
        closedir(folder);
    return found;
}

static const char *check_channel(const ser_channel *channel, size_t size)
{
    if (size < ser_channel_size(1))
        return "it is too short";
    if (channel->magic != SER_CHANNEL_MAGIC)
        return "it does not begin as a channel does";
    if (channel->ring_count > SER_CHANNEL_RINGS || size < ser_channel_size(channel->ring_count))
        return "it is too short for its rings";
    return NULL;
}

static void dump_ring(ser_dump *dump, const ser_channel *channel, uint32_t number, uint64_t last)
{
    static const char *const states[] = {"free", "claimed", "its thread has ended"};
    const ser_ring *ring = &channel->rings[number];
    uint32_t claimed = __atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE);
    uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    ser_print(dump->file,
              "ring %" PRIu32 ": %s, T%" PRIu32 ", head %" PRIu64 ", tail %" PRIu64 " (%" PRIu64
              " not taken), next clock %" PRIu64 "\n",
              number, claimed < 3 ? states[claimed] : "damaged", ring->thread, head, tail,
              head - tail, ring->next_clock);
    uint64_t first = head > last ? head - last : 0;
    if (head - first > SER_RING_RECORDS)
        first = head - SER_RING_RECORDS;
    for (uint64_t i = first; i < head; i++) {
        ser_record record = ring->records[i % SER_RING_RECORDS];
        ser_dump_record(dump, i, &record);
    }
}

static void dump_head(ser_dump *dump, const ser_channel *channel)
{
    ser_print(
        dump->file,
        "channel, version %" PRIu32 ", %s mode, %" PRIu32 " rings\n"
        "process %d is recorded by %d%s%s%s, %" PRIu64 " events lost\n",
        channel->version, channel->parallel ? "parallel" : "serial", channel->ring_count,
        channel->owner, channel->recorder, channel->recorder_alive ? "" : ", which has let go",
        channel->stop ? ", asked to stop" : "", channel->ended ? ", has ended" : "", channel->lost);
    ser_print(dump->file,
              "schedule: %" PRIu64 " turns; inputs: %" PRIu64 " records; steps allowed: ",
              channel->schedule.size / sizeof(ser_turn), channel->inputs.size / sizeof(ser_record));
    if (channel->step_limit)
        ser_print(dump->file, "%" PRIu64 "\n", channel->step_limit);
    else
        ser_print(dump->file, "any number\n");
}

static ser_status dump_mapped(int fd, const char *name, uint64_t last, FILE *file, ser_error *error)
{
    struct stat about;
    size_t size = fstat(fd, &about) == 0 ? (size_t)about.st_size : 0;
    void *memory = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    const ser_channel *channel = memory;
    const char *fault = memory == MAP_FAILED ? "it is empty" : check_channel(channel, size);
    if (fault) {
        ser_fail(error, SER_INPUT, "%s is not a channel: %s", name, fault);
    } else {
        ser_dump dump = {.file = file};
        dump_head(&dump, channel);
        for (uint32_t i = 0; i == 0 || ser_ring_was_claimed(channel, i); i++)
            dump_ring(&dump, channel, i, last);
        ser_dump_fini(&dump);
    }
    if (memory != MAP_FAILED)
        munmap(memory, size);
    return fault ? SER_INPUT : SER_OK;
}

ser_status ser_dump_channel(const char *process_or_path, uint64_t last, FILE *file,
                            ser_error *error)
{
    bool is_process = is_number(process_or_path);
    int fd =
        is_process ? open_channel_of(process_or_path) : open(process_or_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && is_process)
        return ser_fail(error, SER_INPUT,
                        "process %s has no channel, or it cannot be read; name the process of "
                        "seriatim, not of the recorded program",
                        process_or_path);
    if (fd < 0)
        return ser_fail(error, SER_INPUT, "cannot read %s: %s", process_or_path, strerror(errno));
    ser_status status = dump_mapped(fd, process_or_path, last, file, error);
    close(fd);
    return status;
}
