/* take_option.h - options of the command line become variables of the environment. */
#pragma once

/* Exit codes of the launcher. */
enum { EXIT_UNDECIDED = 3, EXIT_USAGE = 2, EXIT_LIBRARY = 125, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

/* Take the option at argv[0], which begins with a dash: check it, and set its variable.  *used receives how
 * many arguments it has.  0 or an exit code, with a message. */
int take_option(char **argv, int *used);
