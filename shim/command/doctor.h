/* doctor.h - the command `clsizer doctor`. */
#ifndef CLSIZER_SHIM_DOCTOR_H
#define CLSIZER_SHIM_DOCTOR_H

/* Tell on stdout whether clsizer works here, and with the program argv[0] if there is one.  Returns the exit
 * code: 0, 1 if something stands in the way, 2 for wrong usage. */
int doctor_main(int argc, char **argv);

#endif
