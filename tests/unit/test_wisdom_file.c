/* Wisdom among several writers, changed by others, and large. */
#include "wisdom_fixture.h"
#include "shim/ledger/wisdom_file.h"

TEST(many_writers)
{
    enum { WRITERS = 8, RECORDS = 40 };
    struct wisdom *w;
    bool stale;

    for (size_t i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            w = reopen(NULL);
            for (size_t j = 0; j < RECORDS; j++) {
                struct wis_key k = key_of(1 + i * RECORDS + j, "1.0");
                struct wis_record r = record_of(1 + i);
                while (wis_store(w, &k, &r, false) == -EAGAIN)
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
    ck_assert_uint_eq(damaged(w), 0);
    wis_close(w);
}

TEST(what_others_store_is_seen)
{
    struct wisdom *mine = reopen(NULL), *theirs = wis_open(place, "", &problem);
    char other[128];
    bool stale;

    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 0);
    store(theirs, 1024, "1.0", 64);
    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 64);
    store(theirs, 1024, "1.0", 32);
    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 32);
    store(mine, 2048, "1.0", 16);
    ck_assert_uint_eq(found(theirs, 2048, "1.0", &stale), 16);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_uint_eq(found(mine, 1024, "1.0", &stale), 0);
    store(theirs, 512, "1.0", 8);
    ck_assert_uint_eq(found(mine, 512, "1.0", &stale), 8);
    snprintf(other, sizeof other, "%s/other", dir);
    ck_assert_int_eq(rename(path, other), 0);
    store(theirs, 8192, "1.0", 4);
    ck_assert_uint_eq(found(mine, 512, "1.0", &stale), 4);
    ck_assert(stale);
    ck_assert_int_eq(truncate(path, 100), 0);
    ck_assert_uint_eq(found(mine, 512, "1.0", &stale), 0);
    ck_assert_uint_eq(damaged(mine), 1);
    wis_close(mine);
    wis_close(theirs);
}

static enum prof_outcome outcome_of(struct wisdom *w)
{
    const struct wis_key k = key_of(1024, "1.0");
    struct wis_record r;

    ck_assert(wis_lookup(w, &k, &r) && !r.stale);
    return r.outcome;
}

/* What one process still has open does not replace what another has decided, unless it knew. */
TEST(decisions_are_not_lost)
{
    struct wisdom *mine = reopen(NULL), *theirs = wis_open(place, "", &problem);
    const struct wis_key k = key_of(1024, "1.0");
    const struct wis_record open = {.outcome = PROF_OPEN};
    struct rlimit least = {1, 1 << 20}, usual = {1 << 20, 1 << 20};
    struct wis_record r = record_of(64);

    ck_assert_int_eq(wis_store(mine, &k, &open, false), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &least), 0);
    ck_assert_int_eq(wis_store(mine, &k, &open, false), -EFBIG);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
    ck_assert_int_eq(wis_store(theirs, &k, &r, false), 0);
    damaged(mine);
    ck_assert_int_eq(outcome_of(mine), PROF_WON);
    ck_assert_int_eq(outcome_of(theirs), PROF_WON);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &least), 0);
    ck_assert_int_eq(wis_store(mine, &k, &open, false), -EFBIG); /* it has seen the decision */
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
    store(theirs, 2048, "1.0", 64);
    ck_assert_int_eq(outcome_of(theirs), PROF_WON);
    damaged(mine);
    ck_assert_int_eq(outcome_of(theirs), PROF_OPEN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &least), 0);
    r.outcome = PROF_NO_GAIN;
    ck_assert_int_eq(wis_store(mine, &k, &r, false), -EFBIG);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
    r.outcome = PROF_WON;
    ck_assert_int_eq(wis_store(theirs, &k, &r, false), 0);
    damaged(mine); /* of two decisions, the later one to be written */
    ck_assert_int_eq(outcome_of(theirs), PROF_NO_GAIN);
    wis_close(mine);
    wis_close(theirs);
}

/* A writer that is killed leaves the old file, and perhaps a part of a new one. */
TEST(killed_writers_do_no_harm)
{
    struct wisdom *w = reopen(NULL);
    char fresh[224];
    bool stale;

    store(w, 1024, "1.0", 64);
    snprintf(fresh, sizeof fresh, "%s" WIS_FRESH, path);
    ck_assert_int_eq(symlink("/nonexistent", fresh), 0); /* must not be followed */
    store(w, 2048, "1.0", 32);
    ck_assert_int_eq(access(fresh, F_OK), -1);
    for (int i = 0; i < 20; i++) {
        const struct timespec pause = {.tv_nsec = 1000000 * i};
        const pid_t child = fork();
        if (child == 0) {
            w = reopen(NULL);
            for (size_t j = 1;; j++)
                store(w, 3000 + j % 50, "1.0", j);
        }
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        w = reopen(w);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
        ck_assert(!stale);
        ck_assert_uint_eq(found(w, 2048, "1.0", &stale), 32);
        ck_assert_uint_eq(damaged(w), 0);
    }
    wis_close(w);
}

TEST(damaged_records_leave_the_older_ones)
{
    struct wisdom *w = reopen(NULL);
    bool stale;
    size_t size, head;

    store(w, 1024, "1.0", 64);
    char *text = strdup(slurp(&size));
    store(w, 1024, "1.0", 32);
    char *later = slurp(&head), *gain = strstr(later, "\"gain\":");
    head = (size_t)(strchr(later, '\n') + 1 - later);
    gain[8] ^= 1;
    text = realloc(text, 1 << 14);
    strcpy(text + size, later + head);
    spew(text, strlen(text));
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    ck_assert(!stale);
    ck_assert_uint_eq(damaged(w), 1);
    free(text);
    wis_close(w);
}

/* Files stay as long as what is known, and no longer than WIS_MOST records; failures are not forgotten. */
TEST(files_stay_short)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1, "1.0");
    struct wis_record r = record_of(1);
    struct timespec begin, end;
    bool stale;
    size_t size = 0, one;
    FILE *f;

    for (size_t i = 1; i <= 100; i++) {
        store(w, 1024, "1.0", 100 + i);
        slurp(&one);
        ck_assert(i == 1 || one == size);
        size = one;
    }
    k.shape.local_args = WIS_ALL_SHAPES;
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
    f = fopen(path, "a");
    for (size_t i = 1; i < WIS_MOST; i++) {
        k = key_of(i, "1.0");
        char *line = wis_line(&k, &r);
        fprintf(f, "%s\n", line);
        free(line);
    }
    fclose(f);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1, "1.0", &stale), 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%d records: %.1f ms to look up, ", WIS_MOST,
           1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
    clock_gettime(CLOCK_MONOTONIC, &begin);
    store(w, 1 << 20, "1.0", 7);
    damaged(w); /* a large file is not written at once */
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.1f ms to store\n",
           1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1 << 20, "1.0", &stale), 7);
    ck_assert(!stale);
    ck_assert_uint_eq(found(w, 2, "1.0", &stale), 1);
    ck_assert(!stale);
    ck_assert_uint_eq(found(w, 1, "1.0", &stale), 1);
    ck_assert(stale); /* the oldest but the failure is gone */
    k = key_of(1, "1.0");
    k.shape.local_args = WIS_ALL_SHAPES;
    ck_assert(wis_lookup(w, &k, &r) && !r.stale);
    wis_close(w);
}

/* A process that is forked meanwhile has the lock's descriptor as well, perhaps for hours. */
TEST(children_keep_no_lock)
{
    struct wisdom *w = reopen(NULL);
    char slash[128];
    pid_t child;
    int lock;

    snprintf(slash, sizeof slash, "%s/", place);
    ck_assert_int_ge(lock = wis_lock(slash, geteuid()), 0);
    if ((child = fork()) == 0)
        pause();
    wis_unlock(lock);
    store(w, 1024, "1.0", 64);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    wis_close(w);
}

/* What cannot be read for a moment, for want of descriptors, is written at the end all the same. */
TEST(passing_problems_lose_nothing)
{
    const struct wis_key k = key_of(1024, "1.0");
    const struct wis_record r = record_of(64);
    struct wisdom *w = reopen(NULL);
    struct rlimit usual, none;
    bool stale;

    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = (struct rlimit){0, usual.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ck_assert_int_eq(wis_store(w, &k, &r, true), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual), 0);
    told[0] = '\0';
    wis_finish(w, tell, NULL);
    ck_assert_str_eq(told, "");
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    wis_close(w);
}

/* A single file may have neighbours, whatever their names. */
TEST(neighbours_stay)
{
    struct wisdom *w;
    char single[128], neighbour[192];

    snprintf(single, sizeof single, "%s/notes", dir);
    snprintf(neighbour, sizeof neighbour, "%s.new", single);
    close(open(neighbour, O_CREAT | O_WRONLY, 0600));
    w = wis_open(single, "none", &problem);
    store(w, 1024, "1.0", 64);
    ck_assert_int_eq(access(single, F_OK), 0);
    ck_assert_int_eq(access(neighbour, F_OK), 0);
    wis_close(w);
}

int main(void)
{
    return run_tests("wisdom_file", setup, teardown);
}
