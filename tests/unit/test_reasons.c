/* Reasons: each has a name of its own and words. */
#include "run_suite.h"

#include <string.h>
#include "shim/ledger/reasons.h"

/* Reports are read by name: lower case, words joined by hyphens. */
TEST(rows_are_well_formed)
{
    const struct rsn_row *row;

    for (unsigned i = 0; (row = rsn_row(i)); i++) {
        if (!row->name) {
            ck_assert_uint_gt(strlen(row->words), 0);
            continue;
        }
        ck_assert_uint_gt(strlen(row->name), 0);
        ck_assert_uint_eq(strspn(row->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(row->name));
        ck_assert_msg(!strchr(row->words, '\n') &&
                          (!*row->words || row->words[strlen(row->words) - 1] != '.'),
                      "%s: %s", row->name, row->words);
    }
}

/* One name has one meaning, wherever it arises; "proved" is no reason. */
TEST(names_are_unique)
{
    const struct rsn_row *row;

    for (unsigned i = 0; (row = rsn_row(i)); i++)
        if (row->name && *row->words)
            ck_assert_msg(rsn_words(row->name) == row->words, "%s stands there twice", row->name);
}

TEST(looked_up_by_name)
{
    ck_assert_str_eq(rsn_words("built-in-kernel"), "the driver's own code");
    ck_assert_str_eq(rsn_words("barrier"), "the kernel synchronises its work-group");
    ck_assert_str_eq(rsn_words("aliased-arguments"), "a written buffer overlaps another argument");
    ck_assert_ptr_null(rsn_words("decisions")); /* a heading */
    ck_assert_ptr_null(rsn_words("no-such-reason"));
}

int main(void)
{
    return run_tests("reasons", NULL, NULL);
}
