/* run_suite.h - the begin and the end of every unit test's main(). */
#pragma once

#include <check.h>
#include <stdlib.h>

/* Check notes every assertion that holds in a file, to say behind which one a test crashed, and reads them
 * all at its end: most of the time of tests with many assertions. */
#define _mark_point(file, line) ((void)0)

/* A test may take long on a busy machine; Check ends it after 4 s. */
__attribute__((constructor)) static void take_time(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "300", 0);
}

/* Run `s` and release it: main()'s exit status. */
static inline int run_suite(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
