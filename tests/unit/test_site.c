/* Sites: one per shape, and what takes a site's place when its decision no longer stands. */
#include "run_suite.h"

#include "shim/ledger/runtime.h"
#include "shim/site/site.h"

static struct shim_device device;
static struct shim_build build = {.device = &device};

/* What site.c needs of the rest of the library. */
_Atomic(struct runtime *) rt_usable;

struct shim_build *ana_build(struct shim_source *source, struct shim_device *d)
{
    (void)source;
    (void)d;
    return &build;
}

static struct shim_site *find(size_t global)
{
    struct shim_kernel k = {.name = "k"};
    struct shim_queue q = {.device = &device};
    struct launch l = {.dim = 1, .global = {global, 1, 1}, .local = {64, 1, 1}};

    return site_find(&k, &q, &l);
}

static void begin(void)
{
    pthread_mutex_init(&build.lock, NULL);
}

TEST(shapes_have_sites)
{
    struct shim_site *a = find(1024), *b = find(2048);

    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    ck_assert_ptr_ne(a, b);
    ck_assert_ptr_eq(find(1024), a);
    ck_assert(atomic_load(&a->entry->ranges_differ));
}

TEST(a_decision_is_given_up_once)
{
    struct shim_site *old = find(1024), *again;

    ck_assert(site_reopen(old));
    again = find(1024);
    ck_assert_ptr_ne(again, old);
    /* Another thread has come by its times at once, and gets the site's lock now. */
    ck_assert(!site_reopen(old));
    ck_assert_ptr_eq(find(1024), again);
}

TEST(decisions_are_given_up_three_times)
{
    unsigned n = 0;

    while (site_reopen(find(1024)))
        n++;
    ck_assert_uint_eq(n, 3);
}

TEST(states_follow_each_other)
{
    static const bool may[4][4] = {[SITE_NEW] = {true, true, true, true},
                                   [SITE_RACING] = {false, true, true, true},
                                   [SITE_DECIDED] = {false, false, true, true},
                                   [SITE_REFUSED] = {false, false, false, true}};
    struct shim_site *s = find(1024);

    for (int from = SITE_NEW; from <= SITE_REFUSED; from++)
        for (int to = SITE_NEW; to <= SITE_REFUSED; to++) {
            atomic_store(&s->state, from);
            ck_assert_int_eq(site_become(s, (enum site_state)to), may[from][to]);
            ck_assert_int_eq(site_state(s), may[from][to] ? to : from);
            ck_assert_int_eq(site_is_open(s), site_state(s) < SITE_DECIDED);
        }
}

int main(void)
{
    return run_tests("site", begin, NULL);
}
