/* wisdom.h - `clsizer wisdom`: what is remembered between runs, for people. */
#ifndef CLSIZER_SHIM_COMMAND_WISDOM_H
#define CLSIZER_SHIM_COMMAND_WISDOM_H

/* The command, with the arguments behind its name.  The exit code: 0; 1 if something is damaged or nothing
 * was found; 2 for wrong usage, and files that cannot be used. */
int wisdom_main(int argc, char **argv);

#endif
