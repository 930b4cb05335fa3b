/* summary_text.h - kernels for the tests, written as text with names instead of value ids.
 *
 *   static const char *body = "gid = wi sub=global_id bits=64\n"     a value
 *                             "block\n"
 *                             "      store space=global bytes=4 : p v\n"  no value
 *                             "      br : @1\n"                     @n is block n
 *
 * Other lines (arg, reqd, access, ...) may stand anywhere. */
#pragma once

#include "analysis/prove/facts.h"
#include "analysis/summary/summary.h"
#include "analysis/summary/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>

#define TEXT_NAMES 512

struct text_names {
    unsigned n;
    char name[TEXT_NAMES][32];
};

/* What other lines begin with, those before the body and those behind the facts, in the summary's order. */
static const char *const text_before[] = {"arg ",   "reqd ", "hint ",  "local_bytes ",
                                          "flags ", "var ",  "callee "};
static const char *const text_behind[] = {"loop ", "access ", "open "};
#define TEXT_COUNT(list) (sizeof(list) / sizeof((list)[0]))

static inline bool text_begins_with(const char *line, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(line, list[i], strlen(list[i])) == 0)
            return true;
    return false;
}

static inline bool text_is_body(const char *line)
{
    return *line && !text_begins_with(line, text_before, TEXT_COUNT(text_before)) &&
           !text_begins_with(line, text_behind, TEXT_COUNT(text_behind));
}

static inline bool text_is_insn(const char *line)
{
    return text_is_body(line) && strncmp(line, "block", 5) != 0;
}

/* The lines of `body` that begin with the words of the list, in its order. */
static inline void text_others(const char *body, const char *const *list, size_t n, FILE *f)
{
    for (size_t i = 0; i < n; i++) {
        char *copy = strdup(body), *save;
        for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
            line += strspn(line, " ");
            if (text_begins_with(line, &list[i], 1))
                fprintf(f, "%s\n", line);
        }
        free(copy);
    }
}

static inline int text_find(const struct text_names *names, const char *name)
{
    for (unsigned i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0)
            return (int)i;
    return -1;
}

/* Everything but the first and the last line of a summary that holds one kernel, all facts "proved". */
static inline char *text_kernel(const char *body)
{
    static struct text_names names;
    char *copy = strdup(body), *out = NULL, *save;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    names.n = 0;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *start = line + strspn(line, " ");
        char *eq = strstr(start, " = ");
        if (!text_is_insn(start))
            continue;
        ck_assert_uint_lt(names.n, TEXT_NAMES);
        names.name[names.n][0] = 0;
        if (eq)
            snprintf(names.name[names.n], sizeof(names.name[0]), "%.*s", (int)(eq - start), start);
        names.n++;
    }
    free(copy);
    copy = strdup(body);
    fprintf(f, "kernel \"k\"\n");
    text_others(body, text_before, TEXT_COUNT(text_before), f);
    unsigned id = 0;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *start = line + strspn(line, " ");
        char *eq = strstr(start, " = "), *colon = strstr(start, " : "), *tok;
        if (!text_is_insn(start)) {
            if (text_is_body(start))
                fprintf(f, "%s\n", start);
            continue;
        }
        if (eq)
            start = eq + 3;
        fprintf(f, "%u %.*s", id++, colon ? (int)(colon - start) : (int)strlen(start), start);
        if (colon) {
            fprintf(f, " :");
            for (tok = strtok(colon + 3, " "); tok; tok = strtok(NULL, " ")) {
                int v = *tok == '@' ? atoi(tok + 1) : text_find(&names, tok);
                ck_assert_msg(v >= 0, "no value named %s", tok);
                fprintf(f, " %d", v);
            }
        }
        fprintf(f, "\n");
    }
    free(copy);
    for (unsigned i = 0; i < SUM_FACTS; i++)
        fprintf(f, "fact %s proved 0 -\n", sum_fact_name(i));
    text_others(body, text_behind, TEXT_COUNT(text_behind), f);
    fprintf(f, "endkernel\n");
    fclose(f);
    return out;
}

/* The whole summary: first line, `lines`, checksum.  The caller frees it. */
static inline char *text_seal(const char *lines)
{
    char *body = NULL, *out = NULL;
    ck_assert_int_ge(asprintf(&body, "clsizer-summary %d\n%s", SUM_VERSION, lines), 0);
    ck_assert_int_ge(asprintf(&out, "%send %016" PRIx64 "\n", body, hash64(HASH64_START, body, strlen(body))),
                     0);
    free(body);
    return out;
}

/* Parse a kernel; release with sum_free(). */
static inline struct program_summary text_parse(const char *body)
{
    struct program_summary p = {0};
    unsigned line = 0;
    char *kernel = text_kernel(body), *text = text_seal(kernel);
    int err = sum_parse(text, strlen(text), &p, &line);
    ck_assert_msg(err == 0, "error %d in line %u of\n%s", err, line, text);
    free(kernel);
    free(text);
    return p;
}

/* Parse and derive the facts. */
static inline struct program_summary text_facts(const char *body)
{
    struct program_summary p = text_parse(body);
    const char *why = "";
    sum_derive_facts(&p.kernel[0]);
    ck_assert_msg(sum_check(&p.kernel[0], &why) == 0, "%s", why);
    return p;
}
