/* SPDX-License-Identifier: MIT */
/*
 * java.h - Java programs need the agent (src/java/agent) and a few flags.
 *
 * `java` itself gets them as arguments, before all others. A script that mentions java, as those of
 * Maven and Gradle, gets them in JAVA_TOOL_OPTIONS, which every Java virtual machine reads; the
 * first one that starts is recorded.
 */
#ifndef SER_RECORD_CAPTURE_PROGRAM_JAVA_H
#define SER_RECORD_CAPTURE_PROGRAM_JAVA_H

#include "base/status.h"

typedef struct ser_java_start {
    char **arguments;  /* the command with what java needs; NULL: as it was. Its texts are those of
                          the command but for `agent` */
    char *environment; /* what JAVA_TOOL_OPTIONS must be; NULL: as it is */
    char *agent;       /* as an argument */
} ser_java_start;

/* All NULL if it is no Java program. An error if it is one and the agent is missing. */
ser_status ser_java_prepare(char *const *command, ser_java_start *start, ser_error *error);
void ser_java_fini(ser_java_start *start);

#endif
