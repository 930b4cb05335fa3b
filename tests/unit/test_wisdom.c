/* Wisdom: what is kept comes back, and nothing damaged, stale or untrusted is believed. */
#include "wisdom_fixture.h"

TEST(round_trip)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r;

    ck_assert_ptr_null(problem);
    ck_assert(!wis_lookup(w, &k, &r));
    store(w, 1024, "1.0", 64);
    for (int i = 0; i < 2; i++) { /* from memory, then from the file */
        ck_assert(wis_lookup(w, &k, &r));
        ck_assert_int_eq(r.outcome, PROF_WON);
        ck_assert_int_eq(r.mode, PROF_SLICES);
        ck_assert_uint_eq(r.local[0], 64);
        ck_assert_double_eq(r.gain, 1.5);
        ck_assert_double_eq(r.item_ns, 0.8125);
        ck_assert_int_eq(r.account.observed_ns, 1234567890123);
        ck_assert_int_eq(r.account.compile_ns, -1);
        ck_assert(!r.stale);
        ck_assert_uint_eq(damaged(w), 0);
        w = reopen(w);
    }
    wis_close(w);
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0600);
}

TEST(unfinished_races_are_kept)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = {.outcome = PROF_OPEN, .account = {.granted_ns = 20000000}};

    r.past.n = 5;
    r.past.doubts = 2;
    r.past.candidate[0] =
        (struct prof_evidence){{64, 2, 1}, 3, 0.5, 0.75, false, false, true, "wide", 0xfedcba9876543210};
    r.past.candidate[1] = (struct prof_evidence){{4096, 1, 1}, 1, 2.5, 2.5, true, false, true, "", 0};
    r.past.candidate[2] = (struct prof_evidence){{1, 1, 1}, 0, 0, 0, true, true, true, "", 0};
    r.past.candidate[3] = (struct prof_evidence){{2, 1, 1}, 0, 0, 0, false, false, true, "", 0};
    r.past.candidate[4] = (struct prof_evidence){{4, 1, 1}, 0, 0, 0, false, false, false, "", 0};
    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
    w = reopen(w);
    memset(&r, 0, sizeof r);
    ck_assert(wis_lookup(w, &k, &r));
    ck_assert_uint_eq(r.past.n, 5);
    ck_assert_uint_eq(r.past.doubts, 2);
    ck_assert_int_eq(r.account.granted_ns, 20000000);
    ck_assert(r.past.candidate[0].local[1] == 2 && r.past.candidate[0].samples == 3 &&
              !r.past.candidate[0].dropped);
    ck_assert_double_eq(r.past.candidate[0].best, 0.5);
    ck_assert_double_eq(r.past.candidate[0].worst, 0.75);
    ck_assert_str_eq(r.past.candidate[0].variant, "wide");
    ck_assert(r.past.candidate[0].text == 0xfedcba9876543210);
    ck_assert_str_eq(r.past.candidate[1].variant, "");
    ck_assert(r.past.candidate[1].dropped && !r.past.candidate[1].failed);
    ck_assert(r.past.candidate[2].dropped && r.past.candidate[2].failed);
    ck_assert(r.past.candidate[0].used && r.past.candidate[1].used);
    ck_assert(r.past.candidate[3].used && !r.past.candidate[3].dropped && !r.past.candidate[3].samples);
    ck_assert(!r.past.candidate[4].used && !r.past.candidate[4].dropped);
    ck_assert_uint_eq(r.past.launches, 0);
    wis_close(w);
}

TEST(races_across_runs_are_kept)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1024, "1.0");
    const struct prof_past past = {.launches = 2,
                                   .nown = 3,
                                   .own = {1.5, 1.25, 1e-3},
                                   .duel = {64, 2, 1},
                                   .duel_samples = {1, 2},
                                   .duel_best = {1.5, 0.75}};
    struct wis_record r = {.outcome = PROF_OPEN, .past = past};

    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
    w = reopen(w);
    memset(&r, 0, sizeof r);
    ck_assert(wis_lookup(w, &k, &r));
    ck_assert_mem_eq(&r.past, &past, sizeof past);
    wis_close(w);
}

TEST(variants_are_kept)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = {.outcome = PROF_NO_GAIN,
                           .local = {8, 8, 1},
                           .varied = true,
                           .variant = "fixed",
                           .variant_local = {16, 2, 1},
                           .variant_gain = 1.5};

    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
    w = reopen(w);
    memset(&r, 0, sizeof r);
    ck_assert(wis_lookup(w, &k, &r));
    ck_assert(r.varied);
    ck_assert_str_eq(r.variant, "fixed");
    ck_assert_uint_eq(r.variant_local[0], 16);
    ck_assert_double_eq(r.variant_gain, 1.5);
    r.variant[0] = 0; /* they were tried, and none won */
    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
    w = reopen(w);
    ck_assert(wis_lookup(w, &k, &r));
    ck_assert(r.varied && !*r.variant);
    store(w, 1024, "1.0", 64); /* by a run without */
    ck_assert(wis_lookup(w, &k, &r));
    ck_assert(!r.varied);
    wis_close(w);
}

/* What somebody wrote into the file is taken for what it can be. */
TEST(odd_races_are_read_with_care)
{
    static const char *const odd[] = {
        "{\"launches\":1000000,\"own\":[1]}",
        "{\"launches\":-1,\"own\":[1]}",
        "[]",
        "{\"launches\":1,\"own\":[\"x\",-1,0,1e999,null,[]]}",
        "{\"launches\":1,\"own\":7,\"duel\":[64,-2,1,1,1,1,1]}",
        "{\"launches\":1,\"duel\":[64,2,1,-1,5,-1,1e999]}",
        "{\"launches\":1,\"duel\":[64]}",
        "{\"launches\":1,\"own\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}",
    };
    char line[512], check[32];
    struct wis_record r;

    for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
        const int n =
            snprintf(line, sizeof line,
                     "{\"v\":1,\"outcome\":\"open\",\"mode\":\"none\",\"local\":[0,0,0],\"few\":%s}", odd[i]);
        ck_assert(!wis_parse(line, &r));
        snprintf(check, sizeof check, ",\"check\":\"%016llx\"}",
                 (unsigned long long)hash64(HASH64_START, line, (size_t)n - 1));
        strcpy(line + n - 1, check);
        ck_assert(wis_parse(line, &r));
        ck_assert_uint_le(r.past.launches, PROF_FEW_LAUNCHES);
        ck_assert_uint_le(r.past.nown, PROF_PAST_OWN);
        for (unsigned k = 0; k < r.past.nown; k++)
            ck_assert(r.past.own[k] > 0 && r.past.own[k] < 1e300);
        for (unsigned k = 0; k < 2; k++)
            ck_assert(!r.past.duel_samples[k] || (r.past.duel_best[k] > 0 && r.past.duel_best[k] < 1e300));
        ck_assert(i < 7 ? r.past.nown == 0 : r.past.nown == PROF_PAST_OWN);
    }
}

/* Sums of what was read and of what is seen now do not overflow. */
TEST(amounts_are_bounded)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = {.outcome = PROF_OPEN,
                           .account = {.observed_ns = INT64_MAX, .spent_ns = INT64_MIN, .compile_ns = -1}};

    ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
    w = reopen(w);
    ck_assert(wis_lookup(w, &k, &r));
    ck_assert(r.account.observed_ns > 0 && r.account.observed_ns < INT64_MAX / 4);
    ck_assert_int_eq(r.account.spent_ns, -1);
    ck_assert_int_eq(r.account.compile_ns, -1);
    wis_close(w);
}

TEST(every_part_of_the_key_counts)
{
    struct wisdom *w = reopen(NULL);
    struct wis_record r;

    store(w, 1024, "1.0", 64);
    for (int part = 0; part < 7; part++) {
        struct wis_key k = key_of(1024, "1.0");
        switch (part) {
        case 0:
            k.program = "0123abce";
            break;
        case 1:
            k.kernel = "matmul2";
            break;
        case 2:
            k.device = "Fast|Vendor|1.0";
            break;
        case 3:
            k.shape.dim = 3;
            break;
        case 4:
            k.shape.zero_offset = false;
            break;
        case 5:
            k.shape.own[1] = 16;
            break;
        default:
            k.shape.local_args++;
        }
        ck_assert_msg(!wis_lookup(w, &k, &r), "part %d", part);
    }
    wis_close(w);
}

TEST(later_records_replace)
{
    struct wisdom *w = reopen(NULL);
    struct stat st;
    bool stale;

    store(w, 1024, "1.0", 64);
    ck_assert_int_eq(chmod(path, 0644), 0); /* others may read it */
    store(w, 1024, "1.0", 128);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0644);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 128);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 128);
    wis_close(w);
}

TEST(second_choices_are_stale)
{
    struct wisdom *w = reopen(NULL);
    bool stale = false;

    store(w, 256, "1.0", 16);
    store(w, 1024, "1.0", 64);
    store(w, 8192, "1.0", 128);
    ck_assert_uint_eq(found(w, 1500, "1.0", &stale), 64);
    ck_assert(stale);
    ck_assert_uint_eq(found(w, 3000, "1.0", &stale), 128);
    ck_assert_uint_eq(found(w, 1, "1.0", &stale), 16);
    stale = false;
    ck_assert_uint_eq(found(w, 1024, "2.0", &stale), 64);
    ck_assert(stale);
    ck_assert_uint_eq(found(w, 1500, "2.0", &stale), 0); /* neither size nor driver */
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    ck_assert(!stale);
    wis_close(w);
}

TEST(any_flipped_byte_is_noticed)
{
    struct wisdom *w = reopen(NULL);
    bool stale;
    size_t size;

    store(w, 1024, "1.0", 64);
    char *text = slurp(&size);
    const size_t head = (size_t)(strchr(text, '\n') - text);
    for (size_t i = 0; i < size - 1; i++) {
        if (i > sizeof "{\"clsizer-wisdom\":1" - 2 && i <= head)
            continue; /* may have more members one day */
        text[i] ^= 4;
        spew(text, size);
        text[i] ^= 4;
        w = reopen(w);
        ck_assert_msg(found(w, 1024, "1.0", &stale) == 0, "byte %zu", i);
        damaged(w);
        ck_assert_uint_eq(tellings, 1);
        ck_assert_ptr_nonnull(strstr(told, path));
    }
    wis_close(w);
}

TEST(half_written_last_line)
{
    struct wisdom *w = reopen(NULL);
    bool stale;
    size_t size;

    store(w, 1024, "1.0", 64);
    store(w, 2048, "1.0", 32);
    char *text = slurp(&size);
    for (size_t cut = size / 2 + 20; cut < size - 1; cut += 7) {
        spew(text, cut);
        w = reopen(w);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
        ck_assert_uint_eq(found(w, 2048, "1.0", &stale), 64); /* the next best */
        ck_assert(stale);
        ck_assert_uint_eq(damaged(w), 1);
    }
    store(w, 4096, "1.0", 16);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 4096, "1.0", &stale), 16);
    ck_assert(!stale);
    ck_assert_uint_eq(damaged(w), 1); /* it was kept */
    wis_close(w);
}

/* Lines that mean nothing are kept where they are; files that do not begin like wisdom are left alone. */
TEST(garbage_is_skipped)
{
    static const char garbage[] =
        "{\"clsizer-wisdom\":1}\n\n{}\nnot json\n{\"v\":1,\"key\":{}}\nbinary \xff\xfe\n{\"v\":1,\"key\":\n";
    struct wisdom *w;
    bool stale;
    size_t size;

    spew(garbage, sizeof garbage - 1);
    w = reopen(NULL);
    ck_assert_ptr_null(problem);
    ck_assert_uint_eq(damaged(w), 0); /* nobody looked */
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 0);
    ck_assert_uint_eq(damaged(w), 5);
    store(w, 1024, "1.0", 64);
    ck_assert_ptr_nonnull(
        strstr(slurp(&size), "}\n{}\nnot json\n{\"v\":1,\"key\":{}}\nbinary \xff\xfe\n{\"v\":1,\"key\":\n{"));
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    ck_assert_uint_eq(damaged(w), 5);
    wis_close(w);
}

/* A file that is not wisdom, or not of this version, is named and left as it is. */
TEST(what_is_not_ours_is_not_touched)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"alias ll='ls -l'\n", "is not wisdom"},
        {"\n", "is not wisdom"},
        {"{\"v\":1,\"keys\":1}\n", "is not wisdom"},
        {"{\"clsizer-wisdom\":2}\n{\"v\":9}\n", ":1: is of a newer version of clsizer"},
        {"{\"v\":2,\"key\":{}}\n", ":1: is of a newer version of clsizer"},
        {"{\"clsizer-wisdom\":1}\nx\n{\"v\":2,\"key\":{}}\n", ":3: is of a newer version of clsizer"}};
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = record_of(64);
    bool stale;
    size_t size;

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int single = 0; single < 2; single++) {
            struct wisdom *w;
            spew(cases[i].text, strlen(cases[i].text));
            w = wis_open(single ? path : place, "", &problem);
            if (single)
                ck_assert_ptr_nonnull(strstr(problem, cases[i].words));
            ck_assert_int_eq(wis_store(w, &k, &r, false) != 0, !single); /* no file, or one that is refused */
            ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
            damaged(w);
            ck_assert_uint_eq(tellings, !single);
            ck_assert_msg(single || (strstr(told, cases[i].words) && strstr(told, path)), "%s", told);
            wis_close(w);
            ck_assert_str_eq(slurp(&size), cases[i].text);
        }
}

/* Versions before had a single file for all programs, without a head. */
TEST(single_files)
{
    struct wisdom *w = reopen(NULL);
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = record_of(16);
    char single[128], *text;
    size_t size;
    bool stale;

    store(w, 1024, "1.0", 64);
    store(w, 2048, "1.0", 32);
    wis_close(w);
    text = slurp(&size);
    text = strchr(text, '\n') + 1;
    snprintf(path, sizeof path, "%s/old.jsonl", dir);
    spew(text, strlen(text));
    for (int run = 0; run < 2; run++) {
        w = wis_open(path, "", &problem);
        ck_assert_ptr_null(problem);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
        ck_assert_uint_eq(found(w, 2048, "1.0", &stale), run ? 16 : 32);
        k = key_of(2048, "1.0");
        ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
        k.program = "another";
        ck_assert_int_eq(wis_store(w, &k, &r, false), 0);
        ck_assert(wis_lookup(w, &k, &r) && !r.stale);
        ck_assert_uint_eq(damaged(w), 0);
        wis_close(w);
    }
    ck_assert_ptr_eq(strstr(slurp(&size), "{\"clsizer-wisdom\":1}\n{\"v\":1"), slurp(&size));
    snprintf(single, sizeof single, "%s/new.jsonl", dir); /* made if it does not exist */
    w = wis_open(single, "", &problem);
    store(w, 1024, "1.0", 64);
    wis_close(w);
    w = wis_open("none", single, &problem);
    ck_assert_ptr_null(problem);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    wis_close(w);
}

TEST(what_was_asked_for_is_no_record)
{
    const struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = record_of(64);
    struct wisdom *w = reopen(NULL);
    bool stale;

    r.outcome = PROF_ASKED;
    wis_store(w, &k, &r, false);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 0);
    wis_close(w);
}

TEST(untrusted_files)
{
    struct wisdom *w = reopen(NULL);
    char link[224];
    bool stale;

    store(w, 1024, "1.0", 64);
    ck_assert_int_eq(chmod(path, 0620), 0);
    for (int single = 0; single < 2; single++) {
        wis_close(w);
        w = wis_open(single ? path : place, "", &problem);
        ck_assert_int_eq(problem != NULL, single);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 0);
        damaged(w);
        ck_assert(single || told_error);
    }
    store(w, 1024, "1.0", 32); /* in memory */
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 32);
    ck_assert_int_eq(chmod(path, 0600), 0);
    wis_close(w);
    snprintf(link, sizeof link, "%s/link", dir);
    ck_assert_int_eq(symlink(path, link), 0);
    w = wis_open(link, "", &problem);
    ck_assert_ptr_nonnull(problem);
    wis_close(w);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(path, 12345, 12345), 0);
        w = wis_open(path, "", &problem);
        ck_assert_ptr_nonnull(problem);
        wis_close(w);
        w = wis_open("none", path, &problem);
        ck_assert_ptr_nonnull(problem);
        wis_close(w);
    }
}

TEST(a_pipe_does_not_hang)
{
    struct wisdom *w;

    ck_assert_int_eq(mkfifo(path, 0600), 0);
    w = wis_open(path, "", &problem);
    ck_assert_ptr_nonnull(problem);
    wis_close(w);
}

TEST(memory_only)
{
    bool stale;
    struct wisdom *w;

    ck_assert_int_eq(chdir(dir), 0);
    w = wis_open("none", "", &problem);
    ck_assert_ptr_null(problem);
    store(w, 1024, "1.0", 64);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    wis_close(w);
    ck_assert_int_ne(access("none", F_OK), 0);
    unsetenv("HOME");
    unsetenv("XDG_DATA_HOME");
    w = wis_open("", "", &problem);
    ck_assert_ptr_nonnull(problem);
    store(w, 1024, "1.0", 64);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    wis_close(w);
    w = wis_open("/nonexistent/dir/w", "", &problem);
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = record_of(64);
    ck_assert_int_eq(wis_store(w, &k, &r, false), -ENOENT);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    damaged(w);
    ck_assert_int_eq(told_error, -ENOENT);
    ck_assert_str_eq(told, "/nonexistent/dir/w: No such file or directory");
    wis_close(w);
}

TEST(default_place)
{
    struct wisdom *w;
    struct stat st;
    char name[160];
    bool stale;

    setenv("HOME", dir, 1);
    setenv("XDG_DATA_HOME", "relative/is/ignored", 1);
    for (int i = 0; i < 2; i++) {
        w = wis_open("", "", &problem);
        ck_assert_ptr_null(problem);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), i ? 64 : 0);
        store(w, 1024, "1.0", 64);
        wis_close(w);
    }
    snprintf(name, sizeof name, "%s/.local/share/clsizer", dir);
    ck_assert_int_eq(stat(name, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0700);
    strcat(name, "/wisdom");
    ck_assert_int_eq(stat(name, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0700);
    strcat(name, "/0123abcd.jsonl");
    ck_assert_int_eq(access(name, R_OK), 0);
    snprintf(name, sizeof name, "%s/data", dir);
    setenv("XDG_DATA_HOME", name, 1);
    w = wis_open("", "", &problem);
    store(w, 1024, "1.0", 64);
    wis_close(w);
    strcat(name, "/clsizer/wisdom/0123abcd.jsonl");
    ck_assert_int_eq(access(name, R_OK), 0);
}

TEST(relative_path_survives_chdir)
{
    struct wisdom *w;

    ck_assert_int_eq(chdir(dir), 0);
    w = wis_open("here.jsonl", "", &problem);
    ck_assert_int_eq(chdir("/"), 0);
    store(w, 1024, "1.0", 64);
    wis_close(w);
    snprintf(path, sizeof path, "%s/here.jsonl", dir);
    ck_assert_int_eq(access(path, R_OK), 0);
}

TEST(site_wisdom)
{
    struct wisdom *w = reopen(NULL);
    char own[128];
    bool stale;

    store(w, 1024, "1.0", 64);
    store(w, 2048, "1.0", 32);
    wis_close(w);
    snprintf(own, sizeof own, "%s/own.jsonl", dir);
    for (int single = 0; single < 2; single++) {
        const char *site = single ? path : place;
        unlink(own);
        w = wis_open(own, site, &problem);
        ck_assert_ptr_null(problem);
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
        store(w, 1024, "1.0", 8);
        wis_close(w);
        w = wis_open(own, site, &problem); /* the user's own record counts */
        ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 8);
        ck_assert_uint_eq(found(w, 2048, "1.0", &stale), 32);
        wis_close(w);
    }
    w = wis_open(own, "/nonexistent", &problem);
    ck_assert_ptr_nonnull(problem);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 8);
    wis_close(w);
}

TEST(store_failures)
{
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = record_of(64);
    struct wisdom *w = reopen(NULL);
    struct rlimit limit = {900, 900};
    bool stale;

    ck_assert_int_eq(wis_store(NULL, &k, &r, false), -ENOMEM);
    ck_assert(!wis_lookup(NULL, &k, &r));
    r = record_of(64);
    store(w, 2048, "1.0", 32);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0); /* the signal would kill this test */
    ck_assert_int_eq(wis_store(w, &k, &r, false), -EFBIG);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    w = reopen(w);
    ck_assert_uint_eq(found(w, 2048, "1.0", &stale), 32);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 32); /* the next best */
    wis_close(w);
}

/* Where nothing can be written, what is there is used all the same. */
static bool reads_only(void)
{
    struct wis_key k = key_of(2048, "1.0");
    struct wis_record r = record_of(32);
    struct wisdom *w = reopen(NULL);
    bool stale;

    if (problem || found(w, 1024, "1.0", &stale) != 64 || stale || wis_store(w, &k, &r, false) != -EACCES ||
        found(w, 2048, "1.0", &stale) != 32)
        return false;
    damaged(w);
    return tellings == 1 && strstr(told, path) && strstr(told, "Permission denied");
}

TEST(read_only_places)
{
    const uid_t user = geteuid() ? geteuid() : 12345;
    struct wisdom *w = reopen(NULL);
    int status;

    store(w, 1024, "1.0", 64);
    wis_close(w);
    ck_assert_int_eq(chmod(place, 0500) | chmod(dir, 0711), 0);
    ck_assert_int_eq(chown(path, user, (gid_t)-1) | chown(place, user, (gid_t)-1), 0);
    if (fork() == 0)
        _exit(setresuid(user, user, user) || !reads_only());
    ck_assert_int_gt(wait(&status), 0);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(chmod(place, 0700), 0);
}

TEST(made_files_keep_to_the_limit)
{
    const size_t size = 4096;
    struct rlimit limit = {size, size};
    char *text = calloc(1, size + 1);

    ck_assert_int_eq(util_make_file(path, 0600, text, 5), 0);
    ck_assert_int_eq(util_make_file(path, 0600, text, 5), -EEXIST);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0); /* the signal would kill this test */
    ck_assert_int_eq(util_make_file(path, 0600, text, size + 1), -EFBIG);
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(util_make_file(path, 0600, text, size), 0);
    free(text);
}

TEST(a_taken_lock_is_not_waited_for_long)
{
    struct wis_key k = key_of(1024, "1.0");
    struct wis_record r = record_of(64);
    struct wisdom *w = reopen(NULL);
    char lock[128];
    bool stale;

    store(w, 2048, "1.0", 64);
    snprintf(lock, sizeof lock, "%s/.lock", place);
    int fd = open(lock, O_RDONLY);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert_int_eq(wis_store(w, &k, &r, false), -EAGAIN);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    close(fd);
    damaged(w); /* at the end it is tried again */
    w = reopen(w);
    ck_assert_uint_eq(found(w, 1024, "1.0", &stale), 64);
    ck_assert(!stale);
    wis_close(w);
}

int main(void)
{
    return run_tests("wisdom", setup, teardown);
}
