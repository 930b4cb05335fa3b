/* Points on disk: lines, the bound, damaged files, several writers. */
#include "wisdom_fixture.h"
#include "shim/ledger/points.h"
#include "shim/ledger/wisdom_file.h"

#define DEVICE "Fast \"GPU\"|Vendor|1.0"

static char slashed[104];
static char *file;

static void begin(void)
{
    setup();
    snprintf(slashed, sizeof slashed, "%s/", place);
    file = pts_path(slashed, DEVICE);
}

static void end(void)
{
    free(file);
    teardown();
}

/* A race of `n` sizes; they take 1, 2, 3 ... times as long as the first one, and the model says the opposite.
 */
static char *line_by(const char *program, const char *kernel, uint64_t shape, unsigned n)
{
    static uint16_t x[LEARN_SIZES][SEL_FEATURES];
    struct learn_size s[LEARN_SIZES];

    for (unsigned i = 0; i < n; i++) {
        s[i] = (struct learn_size){{1u << (i % 8), 1, 1}, 2, 5.0 * (1 + i), x[i]};
        x[i][0] = (uint16_t)(1000 + 100 * i);
        x[i][SEL_FEATURES - 1] = (uint16_t)(1000 + 10 * (n - i));
    }
    return learn_line(kernel, program, shape, true, s, n);
}

static char *line_of(const char *kernel, uint64_t shape, unsigned n)
{
    return line_by("0123abcd", kernel, shape, n);
}

static void add(struct points *p, unsigned from, unsigned to, unsigned sizes)
{
    char name[16];

    for (unsigned i = from; i < to; i++) {
        snprintf(name, sizeof name, "k%u", i);
        pts_add(p, DEVICE, true, line_of(name, 7, sizes));
    }
}

static struct pts_head head;

/* How many races the file has. */
static unsigned races(unsigned *points)
{
    struct learn_points all;
    unsigned line;

    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), 0);
    const unsigned n = all.races;
    if (points)
        *points = all.n;
    learn_points_free(&all);
    return n;
}

TEST(lines)
{
    struct learn_points p = {0};
    char *line = line_of("gemm", 255, 3);
    static const char begins[] =
        "{\"kernel\":\"gemm\",\"program\":\"0123abcd\",\"shape\":\"00000000000000ff\",\"sizes\":[[1,1,1,2,"
        "1000,1000,0,";

    ck_assert_ptr_nonnull(line);
    ck_assert(strncmp(line, begins, sizeof begins - 1) == 0);
    ck_assert_uint_eq(learn_count(line), 3);
    ck_assert_int_eq(learn_add(&p, line), 0);
    ck_assert_uint_eq(p.n, 3);
    ck_assert_uint_eq(p.point[2].time, 3000);
    ck_assert(p.point[0].own && !p.point[1].own && !p.point[2].own);
    ck_assert_uint_eq(p.point[2].x[0], 1200);
    ck_assert_uint_eq(p.point[0].launch, learn_launch("gemm", "0123abcd", 255));
    ck_assert_uint_ne(p.point[0].launch, learn_launch("gemm", "0123abcd", 254));
    for (size_t n = strlen(line); n-- > 0;) { /* whatever is missing */
        char *part = strndup(line, n);
        ck_assert_uint_eq(learn_count(part), 0);
        ck_assert_int_eq(learn_add(&p, part), -EBADMSG);
        free(part);
    }
    ck_assert_uint_eq(p.n, 3);
    ck_assert_uint_eq(p.races, 1);
    strstr(line, "1200")[0] = '-';
    ck_assert_uint_eq(learn_count(line), 0);
    ck_assert_ptr_null(line_of("quoted\"", 1, 3));
    ck_assert_ptr_null(line_of("", 1, 3));
    ck_assert_ptr_null(line_of("alone", 1, 1));
    learn_points_free(&p);
    free(line);
}

TEST(whole_races_go_the_oldest_first)
{
    struct points *p = pts_open(slashed);
    unsigned points;

    ck_assert_int_eq(pts_finish(p, false, NULL), 0);
    ck_assert_int_eq(access(file, F_OK), -1); /* nothing to write */
    add(p, 0, 100, 100);
    ck_assert_int_eq(pts_finish(p, false, NULL), 0);
    ck_assert_uint_eq(races(&points), PTS_MOST / 100);
    ck_assert_uint_eq(points, PTS_MOST / 100 * 100);
    pts_close(p);

    FILE *f = fopen(file, "r");
    char line[1 << 16];
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_ptr_nonnull(strstr(line, "\"k60\"")); /* 60..99 are left */
    fclose(f);
    p = pts_open(slashed);
    add(p, 99, 100, 50); /* the same launch again: instead of the older one */
    ck_assert_int_eq(pts_finish(p, false, NULL), 0);
    ck_assert_uint_eq(races(&points), PTS_MOST / 100);
    ck_assert_uint_eq(points, PTS_MOST / 100 * 100 - 50);
    pts_close(p);
}

TEST(learned_if_it_pays)
{
    struct points *p = pts_open(slashed);
    const struct learned *l;

    ck_assert_ptr_null(pts_learned(p, DEVICE, true));
    add(p, 0, 12, 10);
    pts_add(p, DEVICE, true, NULL);
    ck_assert_int_eq(pts_finish(p, true, NULL), 0);
    ck_assert_uint_eq(races(NULL), 12);
    ck_assert_str_eq(head.device, "Fast ?GPU?|Vendor|1.0");
    ck_assert(head.is_cpu);
    ck_assert_uint_eq(head.sum.races, 12);
    ck_assert(!learn_pays(&head.sum)); /* all are of one program */
    pts_close(p);

    p = pts_open(slashed);
    for (unsigned i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%u", i);
        pts_add(p, DEVICE, true, line_by(name, name, 7, 11));
    }
    ck_assert_int_eq(pts_finish(p, true, NULL), 0);
    races(NULL);
    ck_assert(learn_pays(&head.sum));
    pts_close(p);

    p = pts_open(slashed);
    ck_assert_ptr_null(pts_learned(p, "Another|Vendor|1.0", true));
    l = pts_learned(p, DEVICE, true);
    ck_assert_ptr_nonnull(l);
    ck_assert_ptr_eq(pts_learned(p, DEVICE, true), l);
    ck_assert_uint_eq(l->p->races, 24);
    pts_close(p);
    ck_assert_ptr_null(pts_learned(NULL, DEVICE, true));
}

/* Put `text` behind what the file has. */
static void append(const char *text)
{
    FILE *f = fopen(file, "a");
    fputs(text, f);
    fclose(f);
}

TEST(damaged_lines)
{
    struct points *p = pts_open(slashed);
    struct learn_points all;
    unsigned line;

    add(p, 0, 12, 10);
    ck_assert_int_eq(pts_finish(p, true, NULL), 0);
    append("{\"kernel\":\"cut\",\"program\":\"0\",\"shape\":\"0\",\"sizes\":[[1,1\n");
    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), -EBADMSG);
    ck_assert_uint_eq(line, 14);
    ck_assert_int_eq(pts_import(p, file, &line), -EBADMSG);
    ck_assert_uint_eq(line, 14);
    pts_close(p);
    p = pts_open(slashed);
    ck_assert_ptr_null(pts_learned(p, DEVICE, true));
    add(p, 20, 21, 10); /* a new race: what is damaged goes */
    ck_assert_int_eq(pts_finish(p, true, NULL), 0);
    ck_assert_uint_eq(races(NULL), 13);
    pts_close(p);
}

TEST(not_ours)
{
    struct points *p = pts_open(slashed);
    struct learn_points all;
    const char *path_of_it = NULL;
    unsigned line;

    append("something else\n");
    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), -EBADMSG);
    ck_assert_uint_eq(line, 1);
    add(p, 0, 2, 10);
    ck_assert_int_eq(pts_finish(p, true, &path_of_it), -EBADMSG);
    ck_assert_str_eq(path_of_it, file);
    pts_close(p);
    ck_assert_int_eq(unlink(file), 0);
    append(PTS_HEAD "2,\"kind\":\"cpu\"}\n");
    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), -EPROTO);
    ck_assert_int_eq(unlink(file), 0);
    append(PTS_HEAD "1,\"kind\":\"cpu\"}\n");
    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), -EBADMSG);
    ck_assert_int_eq(chmod(file, 0666), 0);
    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), -EPERM);
    ck_assert_int_eq(unlink(file), 0);
    ck_assert_int_eq(symlink("/dev/null", file), 0);
    ck_assert_int_eq(pts_read(file, geteuid(), &head, &all, &line), -ELOOP);
    p = pts_open(slashed);
    add(p, 0, 2, 10);
    ck_assert_int_ne(pts_finish(p, true, NULL), 0);
    pts_close(p);
}

TEST(many_writers)
{
    enum { WRITERS = 6, RACES = 20 };

    for (unsigned i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            struct points *p = pts_open(slashed);
            for (unsigned j = 0; j < RACES; j++) {
                add(p, i * RACES + j, i * RACES + j + 1, 4);
                while (pts_finish(p, false, NULL) == -EAGAIN)
                    ;
            }
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    ck_assert_uint_eq(races(NULL), WRITERS * RACES);
}

TEST(places)
{
    char *within = pts_path("/a/w/", "D");

    ck_assert(strncmp(within, "/a/w/", 5) == 0 && strstr(within, PTS_ENDING));
    ck_assert_ptr_null(pts_open(NULL)); /* wisdom is kept nowhere */
    ck_assert_ptr_null(pts_open("/a/w.jsonl"));
    pts_add(NULL, "D", true, line_of("k", 1, 3));
    ck_assert_int_eq(pts_finish(NULL, true, NULL), 0);
    pts_close(NULL);
    free(within);
}

int main(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "60", 1);
    return run_tests("points", begin, end);
}
