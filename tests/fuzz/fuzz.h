/* SPDX-License-Identifier: MIT */
/*
 * fuzz.h - the entry point of every fuzzer.
 *
 * With clang, libFuzzer calls it; replay.c calls it with files, with any
 * compiler, so that the corpus is a regression test.
 */
#ifndef SER_TESTS_FUZZ_H
#define SER_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
