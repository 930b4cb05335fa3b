/* The wisdom file among several writers, changed by others, tidied, and large. */
#include "wisdom_fixture.h"

START_TEST(many_writers)
{
    enum { WRITERS = 8, RECORDS = 100 };
    struct wisdom *w;
    bool stale;

    for (size_t i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            w = reopen(NULL);
            for (size_t j = 0; j < RECORDS; j++) {
                struct wis_key k = key_of(1 + i * RECORDS + j, "1.0");
                struct wis_record r = record_of(1 + i);
                while (wis_store(w, &k, &r) == -EAGAIN)
                    ;
            }
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    w = reopen(NULL);
    for (size_t i = 0; i < WRITERS * RECORDS; i++) {
        size_t local = found(w, 1 + i, "1.0", &stale);
        if (local != 1 + i / RECORDS || stale)
            ck_abort_msg("record %zu", i);
    }
    wis_close(w);
}
END_TEST

START_TEST(what_others_append_is_seen)
{
    struct wisdom *mine = reopen(NULL), *theirs = wis_open(path, "", &problem);
    bool stale;
    size_t size;

    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 0);
    store(theirs, 1024, "1.0", 64);
    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 64);
    store(theirs, 1024, "1.0", 32);
    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 32);
    store(theirs, 2048, "1.0", 16);
    char *text = slurp(&size);
    ck_assert_int_eq(truncate(path, (off_t)size - 9), 0); /* as if it was still being written */
    ck_assert_uint_eq(found(mine, 2048, "1.0", &stale), 32);
    int fd = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(fd, text + size - 9, 9), 9);
    close(fd);
    ck_assert_uint_eq(found(mine, 2048, "1.0", &stale), 16);
    ck_assert_uint_eq(wis_skipped(mine), 0);
    wis_close(mine);
    wis_close(theirs);
}
END_TEST

START_TEST(files_that_shrink_or_go)
{
    struct wisdom *mine = reopen(NULL), *theirs = wis_open(path, "", &problem);
    char other[128];
    bool stale;

    store(theirs, 1024, "1.0", 64);
    store(theirs, 2048, "1.0", 32);
    ck_assert_uint_eq(found(mine, 2048, "1.0", &stale), 32);
    ck_assert_int_eq(truncate(path, 100), 0);
    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 0);
    store(theirs, 4096, "1.0", 16);
    ck_assert_uint_eq(found(mine, 4096, "1.0", &stale), 16);
    ck_assert(!stale);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_uint_eq(found(mine, 4096, "1.0", &stale), 0);
    store(theirs, 512, "1.0", 8);
    ck_assert_uint_eq(found(mine, 512, "1.0", &stale), 8);
    snprintf(other, sizeof other, "%s/other", dir);
    ck_assert_int_eq(rename(path, other), 0);
    store(theirs, 8192, "1.0", 4);
    ck_assert_uint_eq(found(mine, 512, "1.0", &stale), 4);
    ck_assert(stale);
    wis_close(mine);
    wis_close(theirs);
}
END_TEST

START_TEST(damaged_records_leave_the_older_ones)
{
    struct wisdom *w = reopen(NULL);
    bool stale;
    size_t size;

    store(w, 1024, "1.0", 64);
    slurp(&size);
    store(w, 1024, "1.0", 32);
    store(w, 2048, "1.0", 16);
    size_t whole;
    char *text = slurp(&whole), *gain = strstr(text + size, "\"gain\":");
    gain[8] ^= 1;
    spew(text, whole);
    for (int i = 0; i < 2; i++) { /* as it is, then tidied */
        w = reopen(w);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
        ck_assert(!stale);
        ck_assert_uint_eq(wis_skipped(w), i ? 0 : 1);
        ck_assert_uint_eq(found(w, 2048, "1.0", &stale), 16);
        for (int j = 0; j < 4; j++) /* so that tidying pays */
            store(w, 2048, "1.0", 16);
        ck_assert_int_eq(wis_tidy_file(path), 0);
    }
    wis_close(w);
}
END_TEST

static ino_t inode_of(const char *name, off_t *size)
{
    struct stat st;

    ck_assert_int_eq(stat(name, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0600);
    *size = st.st_size;
    return st.st_ino;
}

START_TEST(tidying_drops_what_is_superseded)
{
    enum { KEYS = 50, TIMES = 5 };
    struct wisdom *w = reopen(NULL), *reader;
    off_t before, after;
    bool stale;

    for (size_t t = 1; t <= TIMES; t++)
        for (size_t i = 1; i <= KEYS; i++)
            store(w, i, "1.0", t * i);
    reader = wis_open(path, "", &problem);
    ck_assert_uint_eq(found(reader, 7, "1.0", &stale), TIMES * 7);
    ino_t first = inode_of(path, &before);
    ck_assert_int_eq(wis_tidy_file(path), 0);
    ck_assert_uint_ne(inode_of(path, &after), first);
    ck_assert_int_lt(after, before / TIMES + 1000);
    w = reopen(w);
    for (size_t i = 1; i <= KEYS; i++) {
        ck_assert_uint_eq(found(w, i, "1.0", &stale), TIMES * i);
        ck_assert(!stale);
        ck_assert_uint_eq(found(reader, i, "1.0", &stale), TIMES * i); /* finds its way into the new file */
    }
    store(reader, 7, "1.0", 1);
    ck_assert_uint_eq(found(w, 7, "1.0", &stale), 1);
    first = inode_of(path, &before);
    ck_assert_int_eq(wis_tidy_file(path), 0); /* not worth it */
    ck_assert_uint_eq(inode_of(path, &after), first);
    ck_assert_int_eq(before, after);
    wis_close(w);
    wis_close(reader);
}
END_TEST

START_TEST(tidying_with_a_left_over_file)
{
    struct wisdom *w = reopen(NULL);
    char tidy[128];
    off_t before, after;
    bool stale;

    for (size_t i = 1; i <= 10; i++)
        store(w, 1024, "1.0", i);
    snprintf(tidy, sizeof tidy, "%s.tidy", path);
    int fd = open(tidy, O_RDWR | O_CREAT, 0600);
    ck_assert_int_eq(write(fd, "rubbish\n", 8), 8);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ino_t first = inode_of(path, &before);
    ck_assert_int_eq(wis_tidy_file(path), 0); /* somebody else is at it */
    ck_assert_uint_eq(inode_of(path, &after), first);
    ck_assert_int_eq(access(tidy, F_OK), 0);
    close(fd); /* was killed */
    ck_assert_int_eq(wis_tidy_file(path), 0);
    ck_assert_uint_ne(inode_of(path, &after), first);
    ck_assert_int_ne(access(tidy, F_OK), 0);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 10);
    ck_assert_uint_eq(wis_skipped(w), 0);
    ck_assert_int_eq(symlink(path, tidy), 0); /* must not be followed */
    for (size_t i = 1; i <= 10; i++)
        store(w, 1024, "1.0", i);
    ck_assert_int_ne(wis_tidy_file(path), 0);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 10);
    wis_close(w);
}
END_TEST

/* Writers of a few keys each, again and again, while the file is tidied: no last word is lost. */
START_TEST(tidying_while_others_append)
{
    enum { WRITERS = 3, KEYS = 5, TIMES = 60 };
    unsigned replaced = 0;
    struct wisdom *w;
    off_t size;
    bool stale;

    wis_close(reopen(NULL));
    spew("\n", 1);
    for (size_t i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            w = reopen(NULL);
            for (size_t j = 0; j < KEYS * TIMES; j++) {
                struct wis_key k = key_of(1 + i * KEYS + j % KEYS, "1.0");
                struct wis_record r = record_of(1 + j);
                while (wis_store(w, &k, &r) == -EAGAIN)
                    ;
            }
            _exit(0);
        }
    for (int left = WRITERS; left;) {
        ino_t before = inode_of(path, &size);
        ck_assert_int_eq(wis_tidy_file(path), 0);
        replaced += inode_of(path, &size) != before;
        while (left && waitpid(-1, NULL, WNOHANG) > 0)
            left--;
    }
    ck_assert_uint_gt(replaced, 0);
    w = reopen(NULL);
    for (size_t i = 0; i < WRITERS * KEYS; i++) {
        ck_assert_uint_eq(found(w, 1 + i, "1.0", &stale), KEYS * (TIMES - 1) + 1 + i % KEYS);
        ck_assert(!stale);
    }
    ck_assert_uint_eq(wis_skipped(w), 0);
    wis_close(w);
}
END_TEST

START_TEST(only_the_end_of_a_huge_file_counts)
{
    struct wisdom *w = reopen(NULL);
    off_t size;
    bool stale;

    store(w, 1024, "1.0", 64);
    ck_assert_int_eq(truncate(path, WIS_WINDOW + 1000), 0); /* a hole */
    store(w, 2048, "1.0", 32);
    store(w, 4096, "1.0", 16);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 32); /* the line before is out of sight */
    ck_assert(stale);
    wis_tidy(w); /* nothing was stored */
    inode_of(path, &size);
    ck_assert_int_gt(size, WIS_WINDOW);
    store(w, 8192, "1.0", 8);
    wis_tidy(w);
    inode_of(path, &size);
    ck_assert_int_lt(size, 4096);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 2048, "1.0", &stale), 32);
    ck_assert_uint_eq(found(w, 4096, "1.0", &stale), 16);
    ck_assert_uint_eq(found(w, 8192, "1.0", &stale), 8);
    ck_assert(!stale);
    wis_close(w);
}
END_TEST

START_TEST(a_hundred_thousand_records)
{
    enum { N = 100000 };
    struct wisdom *w = reopen(NULL);
    struct timespec begin, end;
    bool stale;
    size_t size;
    FILE *f;

    store(w, 123456, "1.0", 64);
    char *text = slurp(&size), *number = strstr(text, "123456,"), *check = strstr(text, ",\"check\"");
    ck_assert(number && check);
    f = fopen(path, "w");
    for (int i = 0; i < N; i++) { /* the same record for 100000 sizes, as any other tool might write it */
        char line[2048];
        snprintf(line, sizeof line, "%.*s%d%.*s", (int)(number - text), text, 100000 + i,
                 (int)(check - number - 6), number + 6);
        fprintf(f, "%s,\"check\":\"%016llx\"}\n", line,
                (unsigned long long)hash64(HASH64_START, line, strlen(line)));
    }
    fclose(f);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 150000, "1.0", &stale), 64);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("100000 records of one program: %.0f ms\n",
           1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
    ck_assert_uint_eq(wis_skipped(w), 0);
    ck_assert_uint_eq(found(w, 100000, "1.0", &stale), 64);
    ck_assert(!stale);
    ck_assert_uint_eq(found(w, 199999, "1.0", &stale), 64);
    ck_assert(!stale);
    ck_assert_uint_eq(found(w, 777, "1.0", &stale), 64);
    ck_assert(stale);
    wis_close(w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("wisdom_file");
    TCase *t = tcase_create("wisdom_file");

    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, many_writers);
    tcase_add_test(t, what_others_append_is_seen);
    tcase_add_test(t, files_that_shrink_or_go);
    tcase_add_test(t, damaged_records_leave_the_older_ones);
    tcase_add_test(t, tidying_drops_what_is_superseded);
    tcase_add_test(t, tidying_with_a_left_over_file);
    tcase_add_test(t, tidying_while_others_append);
    tcase_add_test(t, only_the_end_of_a_huge_file_counts);
    tcase_add_test(t, a_hundred_thousand_records);
    suite_add_tcase(s, t);
    return run_suite(s);
}
