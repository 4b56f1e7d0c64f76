/* SPDX-License-Identifier: MIT */
/*
 * confirm PROGRAM [ARGUMENTS]: records one run of a program that was built with seriatim cc,
 * predicts which atomic blocks another interleaving can violate, and forces the program into the
 * first of them. What `seriatim run` does, as a program of your own with libseriatim:
 *
 *     cc confirm.c $(pkg-config --cflags --libs seriatim) -o confirm
 *     ./confirm ./bank
 *
 * The exit code is 1 if a violation was shown, 0 if there is none, else another.
 */
#include <seriatim/seriatim.h>
#include <stdio.h>

static char message[1024];

static int complain(int status)
{
    fprintf(stderr, "confirm: %s\n", message);
    return status;
}

static int record(char **command)
{
    seriatim_record_options options = {.size = sizeof options,
                                       .command = command,
                                       .trace = "confirm.srt",
                                       .output = "/dev/null",
                                       .seconds = 60};
    seriatim_recorded recorded = {.size = sizeof recorded};
    int status = seriatim_record(&options, &recorded, message, sizeof message);
    if (status == SERIATIM_OK)
        printf("recorded %llu events; the program ended with status %d\n",
               (unsigned long long)recorded.events, recorded.status);
    return status == SERIATIM_OK ? status : complain(status);
}

static int replay(seriatim_prediction *prediction, size_t index, char **command)
{
    seriatim_replay_options options = {.size = sizeof options,
                                       .command = command,
                                       .trace = "confirm-replay.srt",
                                       .output = "/dev/null"};
    seriatim_replayed replayed = {.size = sizeof replayed};
    int status = seriatim_replay(prediction, index, &options, &replayed, message, sizeof message);
    if (status == SERIATIM_VIOLATION)
        printf("it happened; the program ended with status %d\n", replayed.status);
    else if (*replayed.reason)
        printf("it was not shown: %s\n", replayed.reason);
    else
        complain(status);
    return status;
}

/* Prints the violated blocks, and replays the first. */
static int confirm(seriatim_prediction *prediction, char **command)
{
    size_t first = seriatim_prediction_count(prediction);
    for (size_t i = seriatim_prediction_count(prediction); i > 0; i--) {
        seriatim_block block = {.size = sizeof block};
        seriatim_prediction_block(prediction, i - 1, &block);
        if (block.verdict != SERIATIM_BLOCK_VIOLATED)
            continue;
        printf("the block of %s at %s can be violated\n", block.thread, block.location);
        first = i - 1;
    }
    return replay(prediction, first, command);
}

static int predict(seriatim_run *run, char **command)
{
    seriatim_prediction *prediction;
    int status = seriatim_predict(run, NULL, &prediction, message, sizeof message);
    if (status == SERIATIM_VIOLATION)
        status = confirm(prediction, command);
    else if (status == SERIATIM_OK)
        printf("no interleaving violates a block\n");
    else if (status == SERIATIM_UNDECIDED)
        printf("no violation was found, but some blocks are undecided\n");
    else
        complain(status);
    seriatim_prediction_destroy(prediction);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: confirm PROGRAM [ARGUMENTS]\n");
        return SERIATIM_USAGE;
    }
    int status = record(argv + 1);
    if (status != SERIATIM_OK)
        return status;
    seriatim_run *run = seriatim_run_load("confirm.srt", "auto", message, sizeof message);
    if (!run)
        return complain(SERIATIM_INPUT);
    status = predict(run, argv + 1);
    seriatim_run_destroy(run);
    return status;
}
