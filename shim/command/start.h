/* start.h - starts a program with libclsizer.so in front of its libraries. */
#pragma once

/* Replace this process by the program, argv[0] of `command`, looked for in PATH.  Returns only an exit code,
 * with a message. */
int start_program(char **command);

/* Start the program in a child process and wait for its end.  Signals that are sent to this process
 * meanwhile are handed on.  0 with *status as waitpid() has it, or an exit code, with a message. */
int start_and_wait(char **command, int *status);

/* The exit code of a program that ended with this status.  If a signal ended it, that ends this process. */
int start_end_like(int status);
