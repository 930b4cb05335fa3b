/* Handles in one place of memory: against a naive model, and with threads that make and drop objects. */
#include "run_suite.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include "shim/object/known.h"

/* 32 for each place: that a hash leaves one of the places without any has a chance of 256 exp(-32), 3e-12.
 * (The addresses of the handles, and with them the hashes, are others in each run.) */
#define HANDLES (32 * KNOWN_PLACES)
#define THREADS 4

static struct known known;
static char handles[HANDLES], objects[HANDLES];

TEST(finds_what_was_put)
{
    bool there[HANDLES] = {false};
    unsigned found = 0;

    for (unsigned step = 0; step < 100000; step++) {
        const unsigned i = (unsigned)random() % HANDLES;
        void *object = known_find(&known, &handles[i]);
        ck_assert(!object || (there[i] && object == &objects[i]));
        found += object != NULL;
        if (there[i])
            known_drop(&known, &handles[i]);
        else
            known_put(&known, &handles[i], &objects[i]);
        there[i] = !there[i];
    }
    ck_assert_uint_gt(found, 1000);
}

TEST(a_place_belongs_to_the_first)
{
    unsigned found = 0;

    for (unsigned i = 0; i < HANDLES; i++)
        known_put(&known, &handles[i], &objects[i]);
    for (unsigned i = 0; i < HANDLES; i++)
        found += known_find(&known, &handles[i]) != NULL;
    ck_assert_uint_eq(found, KNOWN_PLACES); /* with so many handles each place has one */
    for (unsigned i = 0; i < HANDLES; i++)
        known_drop(&known, &handles[i]);
    for (unsigned i = 0; i < HANDLES; i++)
        ck_assert_ptr_null(known_find(&known, &handles[i]));
}

TEST(nothing_is_left_out)
{
    known_put(&known, NULL, objects);
    known_put(&known, handles, NULL);
    known_drop(&known, NULL);
    ck_assert_ptr_null(known_find(&known, NULL));
    ck_assert_ptr_null(known_find(&known, handles));
}

/* Each thread uses handles of its own, which share their places with those of others. */
static void *use(void *arg)
{
    const unsigned thread = (unsigned)(uintptr_t)arg;
    uintptr_t wrong = 0;

    for (unsigned step = 0; step < 200000; step++) {
        const unsigned i = (step * 7 + thread) % (HANDLES / THREADS) * THREADS + thread;
        char *object = &objects[(i + step) % HANDLES]; /* a recycled handle has another object */
        void *found;
        known_put(&known, &handles[i], object);
        found = known_find(&known, &handles[i]);
        wrong += found && found != object;
        known_drop(&known, &handles[i]);
        wrong += known_find(&known, &handles[i]) != NULL;
    }
    return (void *)wrong;
}

TEST(threads_share_places)
{
    pthread_t thread[THREADS];
    void *wrong;

    for (uintptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, use, (void *)i), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &wrong);
        ck_assert_ptr_null(wrong);
    }
}

int main(void)
{
    return run_tests("known", NULL, NULL);
}
