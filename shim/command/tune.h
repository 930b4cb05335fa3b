/* tune.h - `clsizer tune`: runs a program until its kernels are decided. */
#ifndef CLSIZER_SHIM_COMMAND_TUNE_H
#define CLSIZER_SHIM_COMMAND_TUNE_H

/* The command, with the arguments behind its name.  The exit code: 0 if all is settled, 1 if not, the
 * program's if it failed, or one of take_option.h. */
int tune_main(int argc, char **argv);

#endif
