/* run_suite.h - unit tests that register themselves, and what every main() of theirs does. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* Check notes every assertion that holds in a file, to say behind which one a test crashed, and reads them
 * all at its end: most of the time of tests with many assertions. */
#define _mark_point(file, line) ((void)0)

/* Its own way to begin a test, which has to be entered somewhere else. */
#undef START_TEST

struct unit_test {
    TTest test;
    int end;                            /* run with _i from 0 to below this */
    bool own;                           /* it has the following in place of the file's */
    void (*begin)(void), (*over)(void); /* before and after it; NULL: nothing */
    struct unit_test *next;
};

static struct unit_test *unit_tests;

static inline void add_test(struct unit_test *t)
{
    struct unit_test **at = &unit_tests;

    while (*at)
        at = &(*at)->next;
    *at = t;
}

/* TEST(name) { ... } is run with the other tests of its file, in their order, each in a process of its own.
 * LOOPED_TEST: several times, with _i counting from 0.  ..._WITH: with a begin and an end of its own. */
#define UNIT_TEST(name, end_, own_, begin_, over_)                                                           \
    static void name##_fn(int _i);                                                                           \
    __attribute__((constructor)) static void name##_add(void)                                                \
    {                                                                                                        \
        static struct unit_test t = {                                                                        \
            {#name, name##_fn, __FILE__, __LINE__}, end_, own_, begin_, over_, NULL};                        \
        add_test(&t);                                                                                        \
    }                                                                                                        \
    static void name##_fn(int _i __attribute__((unused)))

#define TEST(name)                                UNIT_TEST(name, 1, false, NULL, NULL)
#define LOOPED_TEST(name, end)                    UNIT_TEST(name, end, false, NULL, NULL)
#define TEST_WITH(begin, over, name)              UNIT_TEST(name, 1, true, begin, over)
#define LOOPED_TEST_WITH(begin, over, name, end_) UNIT_TEST(name, end_, true, begin, over)

/* A test may take long on a busy machine; Check ends it after 4 s. */
__attribute__((constructor)) static void take_time(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "300", 0);
}

/* Run the tests of the file, `begin` before each and `over` after it (NULL: nothing): main()'s exit status.
 */
static inline int run_tests(const char *name, void (*begin)(void), void (*over)(void))
{
    Suite *s = suite_create(name);

    for (const struct unit_test *t = unit_tests; t; t = t->next) {
        TCase *c = tcase_create(name);
        tcase_add_checked_fixture(c, t->own ? t->begin : begin, t->own ? t->over : over);
        _tcase_add_test(c, &t->test, 0, 0, 0, t->end);
        suite_add_tcase(s, c);
    }
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
