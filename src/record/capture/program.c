/* SPDX-License-Identifier: MIT */
#include "record/capture/program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/output/topics.h"
#include "contract/handover.h"
#include "contract/logbook.h"
#include "record/capture/program/java.h"
#include "record/capture/program/runtime_log.h"
#include "record/capture/program/signals.h"

enum { WAIT_NANOSECONDS = 100000000 };

/* --- the channel ---------------------------------------------------------- */

/* A limit on file sizes (RLIMIT_FSIZE) is meant for the trace, not for shared memory. */
static int set_size(int fd, size_t size)
{
    struct rlimit limit, none;
    getrlimit(RLIMIT_FSIZE, &limit);
    none = (struct rlimit){limit.rlim_max, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    int result = ftruncate(fd, (off_t)size);
    setrlimit(RLIMIT_FSIZE, &limit);
    return result;
}

/* Rings always cost address space. Where that is limited, most of it must be left to the
 * program. */
static uint32_t choose_ring_count(bool parallel)
{
    enum { FEWEST = 64, PART = 8 };
    struct rlimit limit;
    uint64_t rings = SER_CHANNEL_RINGS;
    if (!parallel)
        return 1;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / PART < rings * sizeof(ser_ring))
        rings = limit.rlim_cur / PART / sizeof(ser_ring);
    return rings > FEWEST ? (uint32_t)rings : FEWEST;
}

/* The next part comes behind it. */
static ser_channel_part place_part(size_t *end, size_t size)
{
    enum { ALIGNMENT = 64 };
    size_t start = (*end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *end = start + size;
    return (ser_channel_part){start, size};
}

/* Where in the channel things lie. */
typedef struct layout {
    uint32_t rings;
    ser_channel_part settings, schedule, gaps, inputs, log;
    size_t size; /* of the whole */
} layout;

static layout lay_out(const ser_program_start_options *options)
{
    layout plan = {.rings = choose_ring_count(options->parallel)};
    plan.size = ser_channel_size(plan.rings);
    plan.settings = place_part(&plan.size, strlen(options->settings) + 1);
    plan.schedule = place_part(&plan.size, options->turn_count * sizeof *options->turns);
    plan.gaps = place_part(&plan.size, options->gap_count * sizeof *options->gaps);
    plan.inputs = place_part(&plan.size, options->input_count * sizeof *options->inputs);
    plan.log = place_part(&plan.size, ser_runtime_log_wanted() ? sizeof(ser_logbook) : 0);
    return plan;
}

static void fill_part(ser_channel *channel, ser_channel_part part, const void *bytes)
{
    if (part.size > 0)
        memcpy(ser_channel_at(channel, part), bytes, part.size);
}

static void fill_channel(ser_channel *channel, const layout *plan,
                         const ser_program_start_options *options)
{
    channel->ring_count = plan->rings;
    channel->settings = plan->settings;
    channel->schedule = plan->schedule;
    channel->elides = options->elides;
    channel->gaps = plan->gaps;
    channel->inputs = plan->inputs;
    channel->log = plan->log;
    channel->log_wanted = ser_runtime_log_wanted();
    fill_part(channel, plan->settings, options->settings);
    fill_part(channel, plan->schedule, options->turns);
    fill_part(channel, plan->gaps, options->gaps);
    fill_part(channel, plan->inputs, options->inputs);
    channel->step_limit = options->step_limit;
    channel->version = SER_CHANNEL_VERSION;
    channel->parallel = options->parallel;
    channel->recorder = getpid();
    channel->recorder_alive = 1;
    channel->magic = SER_CHANNEL_MAGIC;
}

static ser_status open_channel(ser_program *program, const ser_program_start_options *options,
                               ser_error *error)
{
    int fd = memfd_create("seriatim-channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    void *memory = MAP_FAILED;
    layout plan = lay_out(options);
    if (fd >= 0 && set_size(fd, plan.size) == 0 && ser_handover_seal(fd))
        memory = mmap(NULL, plan.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        return ser_fail(error, SER_INPUT, "no memory to share with the program: %s",
                        strerror(reason));
    }
    program->channel_fd = fd;
    program->channel = memory;
    program->channel_size = plan.size;
    fill_channel(program->channel, &plan, options);
    return SER_OK;
}

/* --- start ---------------------------------------------------------------- */

static bool redirect(const char *output)
{
    if (!output)
        return true;
    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0;
}

/* The program itself is not looked for in its working folder. To be freed, if it is not the same.
 */
static char *whole_path(char *name)
{
    char *folder = *name != '/' && strchr(name, '/') ? getcwd(NULL, 0) : NULL, *path = name;
    if (folder && asprintf(&path, "%s/%s", folder, name) < 0)
        path = name;
    free(folder);
    return path;
}

static bool enter(const ser_program_start_options *options)
{
    return (!options->input || dup2(options->input, STDIN_FILENO) >= 0) &&
           (!options->folder ||
            (chdir(options->folder) == 0 && setenv("PWD", options->folder, 1) == 0));
}

_Noreturn static void become_program(const ser_program *program,
                                     const ser_program_start_options *options,
                                     const ser_java_start *java, int report)
{
    char *const *command = java->arguments ? java->arguments : options->command;
    if (options->owned)
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    int old = personality(0xffffffff);
    if (old >= 0)
        personality((unsigned long)old | ADDR_NO_RANDOMIZE);
    if (java->environment)
        setenv("JAVA_TOOL_OPTIONS", java->environment, 1);
    char *path = options->folder ? whole_path(command[0]) : command[0];
    if (ser_handover_give(program->channel_fd) && redirect(options->output) && enter(options))
        execvp(path, command);
    int reason = errno;
    ssize_t written = write(report, &reason, sizeof reason);
    _exit(written == sizeof reason ? SER_PROGRAM_NOT_RUN : SER_PROGRAM_NOT_FOUND);
}

/* The pipe is closed by exec. Returns why the program could not be run; 0 if it runs. */
static int read_report(int report)
{
    int reason = 0;
    ssize_t got;
    do
        got = read(report, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    close(report);
    return got == sizeof reason ? reason : 0;
}

static ser_status launch(ser_program *program, const ser_program_start_options *options,
                         const ser_java_start *java, ser_error *error)
{
    char *const *command = options->command;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return ser_fail(error, SER_INPUT, "cannot start %s: %s", command[0], strerror(errno));
    if (options->owned)
        ser_offspring_adopt(&program->offspring, 0);
    sigset_t mask;
    ser_signals_hold(program->channel, options->interruptible, &mask);
    program->process = fork();
    if (program->process == 0) {
        ser_signals_reset(&mask);
        become_program(program, options, java, report[1]);
    }
    int reason = program->process < 0 ? errno : 0;
    ser_signals_forward(program->process, &mask);
    close(report[1]);
    int refused = read_report(report[0]);
    if (!reason && !refused) {
        ser_log_info(RECORD, "started %s as process %d, settings %s, %zu turns, %zu inputs",
                     command[0], (int)program->process, options->settings, options->turn_count,
                     options->input_count);
        return SER_OK;
    }
    if (!reason)
        waitpid(program->process, NULL, 0);
    reason = reason ? reason : refused;
    ser_signals_release();
    return ser_fail(error,
                    (ser_status)(reason == ENOENT ? SER_PROGRAM_NOT_FOUND : SER_PROGRAM_NOT_RUN),
                    "cannot run %s: %s", command[0], strerror(reason));
}

ser_status ser_program_start(ser_program *program, const ser_program_start_options *options,
                             ser_error *error)
{
    ser_java_start java;
    *program = (ser_program){.channel_fd = -1};
    ser_status status = ser_java_prepare(options->command, &java, error);
    if (status == SER_OK)
        status = open_channel(program, options, error);
    if (status == SER_OK)
        status = launch(program, options, &java, error);
    program->is_java = java.arguments;
    ser_java_fini(&java);
    if (status != SER_OK)
        ser_program_fini(program);
    return status;
}

/* --- while it runs -------------------------------------------------------- */

void ser_program_allow(ser_program *program, uint64_t steps)
{
    ser_channel *channel = program->channel;
    __atomic_store_n(&channel->step_limit, steps, __ATOMIC_RELEASE);
    __atomic_fetch_add(&channel->step_word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &channel->step_word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

uint32_t ser_program_look(const ser_program *program)
{
    return __atomic_load_n(&program->channel->published, __ATOMIC_ACQUIRE);
}

void ser_program_wait(ser_program *program, uint32_t seen)
{
    struct timespec time = {.tv_nsec = WAIT_NANOSECONDS};
    syscall(SYS_futex, &program->channel->published, FUTEX_WAIT, seen, &time, NULL, 0);
}

void ser_program_check(ser_program *program)
{
    if (program->ended)
        return;
    pid_t found = waitpid(program->process, &program->wait_status, WNOHANG);
    if (found == program->process) {
        program->ended = true;
        ser_log_info(RECORD, "process %d has ended, wait status 0x%x", (int)found,
                     (unsigned)program->wait_status);
        ser_offspring_end(&program->offspring);
        ser_signals_end();
    }
}

void ser_program_pause(ser_program *program, bool paused)
{
    uint32_t *pause = &program->channel->pause;
    if (*pause % 2 != paused)
        __atomic_store_n(pause, *pause + 1, __ATOMIC_RELEASE);
}

bool ser_program_records_all(const ser_program *program)
{
    uint32_t pause = program->channel->pause;
    return pause % 2 == 0 && __atomic_load_n(&program->channel->paused, __ATOMIC_ACQUIRE) == pause;
}

void ser_program_leave(ser_program *program)
{
    ser_log_info(RECORD, "process %d is left running", (int)program->process);
    ser_signals_release();
}

void ser_program_adopt_offspring(ser_program *program)
{
    ser_offspring_adopt(&program->offspring, program->process);
}

void ser_program_signal(const ser_program *program, int number)
{
    ser_log_info(RECORD, "the program is sent signal %d", number);
    pid_t owner = __atomic_load_n(&program->channel->owner, __ATOMIC_ACQUIRE);
    kill(owner > 0 ? owner : program->process, number);
    if (owner > 0 && owner != program->process && !program->ended)
        kill(program->process, number);
}

void ser_program_let_go(ser_program *program)
{
    __atomic_store_n(&program->channel->stop, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&program->channel->recorder_alive, 0, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i == 0 || ser_ring_was_claimed(program->channel, i); i++) {
        ser_ring *ring = &program->channel->rings[i];
        __atomic_fetch_add(&ring->room, 1, __ATOMIC_SEQ_CST);
        syscall(SYS_futex, &ring->room, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
    }
}

void ser_program_print_log(ser_program *program)
{
    ser_runtime_log_print(program->channel, program->ended, &program->log_next);
}

int ser_program_status(const ser_program *program)
{
    if (WIFSIGNALED(program->wait_status))
        return 128 + WTERMSIG(program->wait_status);
    return WEXITSTATUS(program->wait_status);
}

void ser_program_fini(ser_program *program)
{
    if (program->channel)
        munmap(program->channel, program->channel_size);
    if (program->channel_fd >= 0)
        close(program->channel_fd);
    ser_vector_free(&program->offspring.before);
    *program = (ser_program){.channel_fd = -1};
}
