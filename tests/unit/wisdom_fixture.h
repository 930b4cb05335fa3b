/* wisdom_fixture.h - a wisdom directory and a single file in a folder of their own, records for them, and
 * bytes. */
#pragma once

#include "run_suite.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "analysis/summary/hash.h"
#include "shim/guest/util.h"
#include "shim/ledger/wisdom_text.h"

/* A folder; in it, a wisdom directory; in that, the file of key_of(). */
static char dir[64], place[96], path[192];
static const char *problem;

static inline void setup(void)
{
    strcpy(dir, "/tmp/clsizer-wisdom-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(place, sizeof place, "%s/w", dir);
    ck_assert_int_eq(mkdir(place, 0700), 0);
    snprintf(path, sizeof path, "%s/0123abcd.jsonl", place);
}

static inline void teardown(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
}

static inline struct wis_key key_of(size_t x, const char *driver)
{
    static char device[64];
    struct wis_key k = {.program = "0123abcd",
                        .kernel = "matmul",
                        .device = device,
                        .shape = {.dim = 2,
                                  .global = {x, 1024, 1},
                                  .zero_offset = true,
                                  .own = {8, 8, 1},
                                  .local_args = 0xfedcba9876543210u}};

    snprintf(device, sizeof device, "Fast \"GPU\"|Vendor|%s", driver);
    return k;
}

static inline struct wis_record record_of(size_t local)
{
    return (struct wis_record){
        .outcome = PROF_WON,
        .mode = PROF_SLICES,
        .local = {local, 1, 1},
        .gain = 1.5,
        .noise = 0.0123,
        .item_ns = 0.8125,
        .account = {.observed_ns = 1234567890123, .spent_ns = 5, .saved_ns = 7, .compile_ns = -1}};
}

static inline struct wisdom *reopen(struct wisdom *w)
{
    wis_close(w);
    return wis_open(place, "", &problem);
}

static inline void store(struct wisdom *w, size_t x, const char *driver, size_t local)
{
    struct wis_key k = key_of(x, driver);
    struct wis_record r = record_of(local);

    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
}

/* The local size found, 0 if none. */
static inline size_t found(struct wisdom *w, size_t x, const char *driver, bool *stale)
{
    struct wis_key k = key_of(x, driver);
    struct wis_record r;

    if (!wis_lookup(w, &k, &r))
        return 0;
    *stale = r.stale;
    return r.local[0];
}

/* What wis_finish() tells: the last error and detail, and how many. */
static char told[512];
static int told_error;
static unsigned tellings;

static inline void tell(int error, const char *detail, void *context)
{
    (void)context;
    tellings++;
    told_error = error;
    snprintf(told, sizeof told, "%s", detail);
}

/* How many lines are damaged, in the file about which something is told last. */
static inline unsigned damaged(struct wisdom *w)
{
    const char *colon;

    told[0] = '\0';
    tellings = 0;
    wis_finish(w, tell, NULL);
    colon = strrchr(told, ':');
    return !told_error && colon ? (unsigned)atoi(colon + 1) : 0;
}

static inline char *slurp(size_t *size)
{
    static char text[1 << 16];
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);

    close(fd);
    ck_assert_int_gt(n, 0);
    text[n] = '\0';
    *size = (size_t)n;
    return text;
}

static inline void spew(const char *text, size_t size)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

    ck_assert_int_eq(write(fd, text, size), (ssize_t)size);
    close(fd);
}
