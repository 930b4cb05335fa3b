/* test_files.c - files that a program includes: where it may look for them, and whether they are the same. */
#include "run_suite.h"

#include "analysis/summary/files.h"
#include "analysis/summary/whole_file.h"
#include "analysis/source/included.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)
#define EXPANDED  " /* expanded by -frewrite-includes */\n"

static char directory[] = "/tmp/clsizer-files-XXXXXX";

/* As clang leaves a directive of the program's first line. */
static const char *directive(const char *line, const char *entered)
{
    static char text[1024];

    snprintf(text, sizeof text, "# 1 \"<stdin>\"\n#if 0" EXPANDED "%s\n#endif" EXPANDED "# 1 \"<stdin>\"\n%s",
             line, entered);
    return text;
}

static uint64_t later(void)
{
    struct timespec t;

    usleep(50000); /* times of files are kept in ticks */
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

static void enter_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(chdir(directory), 0);
}

static void leave_folder(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
}

static void make(const char *path)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fclose(f);
}

static bool lists(const struct included *in, const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    for (uint32_t i = 0; i < in->n; i++)
        if (!strcmp(in->file[i].path, path))
            return true;
    return false;
}

static struct included included(const char *text)
{
    struct included in = {.cwd = directory, .known = true};
    struct args options = {0};

    args_add(&options, "-Iplace");
    included_add(&in, text, strlen(text), &options);
    args_free(&options);
    return in;
}

/* What was entered is listed, and where it would have been found. */
TEST(entered)
{
    struct included in;

    enter_folder();
    make("a.h");
    in = included(directive("#include \"a.h\"", "# 1 \"./a.h\" 1\n"));
    ck_assert(in.known);
    ck_assert(lists(&in, "./a.h") && lists(&in, "a.h") && lists(&in, "place/a.h"));
    included_free(&in);
    leave_folder();
}

/* What was not entered a second time may be another file tomorrow. */
TEST(passed_over)
{
    static const char *const lines[] = {"#include \"b.h\"", "# \tinclude <b.h>", "#import \"b.h\"",
                                        "#include_next \"b.h\""};
    struct included in;

    enter_folder();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        in = included(directive(lines[i], ""));
        ck_assert(in.known && lists(&in, "b.h") && lists(&in, "place/b.h"));
        included_free(&in);
    }
    in = included(directive("#include NAME", ""));
    ck_assert(!in.known);
    included_free(&in);
    in = included(directive("#pragma once", ""));
    ck_assert(in.known && in.n == 0);
    included_free(&in);
    make("a.h");
    in = included(directive("#include NAME", "# 1 \"./a.h\" 1\n"));
    ck_assert(in.known && lists(&in, "a.h"));
    included_free(&in);
    leave_folder();
}

/* Names are escaped in markers. */
TEST(names)
{
    static const char text[] =
        "# 1 \"./gr\\303\\266\\\"\\\\.h\" 1\n# 1 \"<built-in>\"\n# 2 \"half\n# 1 \"b\" 2\n";
    const char *at = text, *end = text + sizeof text - 1;
    char *name = included_next(&at, end);

    ck_assert_str_eq(name, "./gr\303\266\"\\.h");
    free(name);
    name = included_next(&at, end);
    ck_assert_str_eq(name, "b");
    free(name);
    ck_assert_ptr_null(included_next(&at, end));
}

/* A file that may have changed in the second that its time names. */
TEST(ticks)
{
    struct sum_file f = {.path = (char *)"/", .ctime_ns = 1000 * SECOND_NS};

    ck_assert(!files_precede(&f, 1001 * SECOND_NS));
    ck_assert(files_precede(&f, 1002 * SECOND_NS));
    f.ctime_ns += 500;
    ck_assert(!files_precede(&f, 1000 * SECOND_NS + SECOND_NS / 100));
    ck_assert(files_precede(&f, 1000 * SECOND_NS + SECOND_NS / 10));
    f.absent = true;
    ck_assert(!files_precede(&f, 1002 * SECOND_NS));
}

/* Files keep their times when the path to them changes. */
TEST(paths)
{
    struct program_summary p = {.files_known = true, .nfile = 1};
    struct sum_file f;
    char path[128];
    uint64_t built;

    enter_folder();
    snprintf(path, sizeof path, "%s/now/a.h", directory);
    ck_assert(mkdir("one", 0700) == 0 && mkdir("two", 0700) == 0 && symlink("link", "now") == 0);
    make("one/a.h");
    make("two/a.h");
    ck_assert_int_eq(symlink("one", "link"), 0);
    usleep(50000);
    make("two/other"); /* the directory's contents do not matter */
    built = later();
    make("one/other");
    ck_assert(files_look(path, &f));
    p.file = &f;
    ck_assert(files_same(&p, built));
    free(f.path);

    ck_assert(unlink("link") == 0 && symlink("two", "link") == 0);
    ck_assert(files_look(path, &f));
    ck_assert(!files_same(&p, built));
    built = later();
    ck_assert(files_same(&p, built));

    ck_assert(rename("two", "three") == 0 && rename("three", "two") == 0);
    ck_assert(!files_same(&p, built));
    ck_assert(unlink("link") == 0 && symlink("link", "link") == 0);
    ck_assert(!files_same(&p, later()));
    free(f.path);
    ck_assert(!files_look(path, &f));
    leave_folder();
}

/* A place that was empty must be so still. */
TEST(absent)
{
    struct program_summary p = {.files_known = true, .nfile = 1};
    struct sum_file f;
    char path[128];

    enter_folder();
    snprintf(path, sizeof path, "%s/a.h", directory);
    ck_assert(files_look(path, &f) && f.absent);
    p.file = &f;
    ck_assert(files_same(&p, later()));
    p.files_known = false;
    ck_assert(!files_same(&p, later()));
    p.files_known = true;
    make("a.h");
    ck_assert(!files_same(&p, later()));
    free(f.path);
    leave_folder();
}

/* What `yes` writes, `n` bytes of it: from a file, or through a pipe of a process, which hands out less at a
 * time. */
static int read_back(size_t n, bool piped, size_t most, char **text, size_t *size)
{
    char command[80];
    FILE *f;
    int error;

    snprintf(command, sizeof command, "yes | head -c %zu%s", n, piped ? "" : " >whole");
    if (!piped)
        return system(command) ? -1 : whole_file("whole", most, text, size);
    f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    error = whole_read(fileno(f), most, text, size);
    pclose(f);
    return error;
}

TEST(whole)
{
    static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 131071, 300000};
    char *text;
    size_t size;

    for (unsigned i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i / 2];
        ck_assert_int_eq(read_back(n, i % 2, n, &text, &size), 0);
        ck_assert_uint_eq(size, n);
        for (size_t k = 0; k < n; k++)
            ck_assert_int_eq(text[k], k % 2 ? '\n' : 'y');
        ck_assert_int_eq(text[n], 0);
        free(text);
        ck_assert_int_eq(n ? read_back(n, i % 2, n - 1, &text, &size) : -EFBIG, -EFBIG);
        ck_assert(!n || !text);
    }
    ck_assert_int_eq(whole_file("nowhere", 10, &text, &size), -ENOENT);
    ck_assert_ptr_null(text);
    ck_assert_int_eq(whole_file("/", 10, &text, &size), -EISDIR);
    ck_assert_ptr_null(text);
}

int main(void)
{
    return run_tests("files", NULL, NULL);
}
