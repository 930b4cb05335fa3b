/* own_commands.h - commands of the launcher that have files of their own, with the arguments behind their
 * names. Each returns its exit code. */
#pragma once

/* Tell on stdout whether clsizer works here, and with the program argv[0] if there is one.  0, 1 if something
 * stands in the way, 2 for wrong usage. */
int doctor_main(int argc, char **argv);

/* Run a program until its kernels are decided.  0 if all is settled, 1 if not, the program's if it failed, or
 * one of take_option.h. */
int tune_main(int argc, char **argv);

/* What is remembered between runs, for people.  0; 1 if something is damaged or nothing was found; 2 for
 * wrong usage, and files that cannot be used. */
int wisdom_main(int argc, char **argv);

/* What races have measured, for people, and what others measured added to it.  0; 1 if there is nothing; 2
 * for wrong usage, and files that cannot be used. */
int learn_main(int argc, char **argv);
