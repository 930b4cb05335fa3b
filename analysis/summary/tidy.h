/* tidy.h - the directory of summaries does not grow without end. */
#pragma once

/* Of our files in the directory that `path` is in, remove those by which two processes talk that are a day
 * old: they are left behind when one of them is killed.  If what lasts takes more than 256 MiB, the files
 * that were written first go, until it takes three quarters of that. */
void tidy_directory_of(const char *path);
