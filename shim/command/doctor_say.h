/* doctor_say.h - what the parts of `clsizer doctor` share. */
#pragma once

#include <limits.h>
#include <stdbool.h>

enum verdict { OK, NOTE, FAIL };

/* Print a line: the subject, "ok", "note" or "FAIL", and the words. */
void doctor_say(enum verdict v, const char *subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

extern bool doctor_failed; /* has it said FAIL? */

/* Only what fails is said, on stderr, as the launcher says things. */
extern bool doctor_only_warns;

/* Look for the program as a shell does; false, or the path in `found`. */
bool doctor_in_path(const char *program, char found[PATH_MAX]);

/* Can the library be put in front of this program?  (doctor_program.c) */
void doctor_program(const char *name);
