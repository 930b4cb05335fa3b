/* test_pointers.c - what arguments that are pointers reach (shim/object/svm.c, shim/site/arguments.c). */
#include <pthread.h>
#include <stdlib.h>
#include "scripted_driver.h"
#include "shim/object/kernels.h"
#include "shim/object/queues.h"
#include "shim/object/svm.h"

#define ITEMS 1048576 /* a millisecond */
#define OWN   16
#define BYTES (4 * (size_t)ITEMS)
#define PLACE ((const char *)0x10000000) /* nobody looks there */

static cl_context context(void)
{
    return obj_queue(script_queue())->context;
}

static void allocate(const char *start, size_t size)
{
    svm_allocated(context(), start, size, true);
}

static void set(cl_uint index, const char *pointer, enum shim_arg_form form)
{
    obj_set_arg(script_kernel(), index, sizeof pointer, &pointer, form);
}

/* out[i] = in[i] + n is decided, with these for in and out. */
static void decide(const char *in, const char *out)
{
    set(0, in, ARG_USM);
    set(1, out, ARG_SVM);
    script_analysed(script_map);
    script.item_ns = script_wide;
    script_repeat(100, ITEMS, OWN);
    ck_assert_int_eq(site_state(script_site(ITEMS, OWN)), SITE_DECIDED);
    ck_assert_uint_ge(script_last(), 64);
}

/* Is the next launch made as the program wrote it? */
static bool left_alone(void)
{
    atomic_store(&script_runtime.proof_ns, 0); /* however long proofs take on a busy machine */
    script_repeat(1, ITEMS, OWN);
    return script_last() == OWN;
}

TEST(allocations_are_as_good_as_buffers)
{
    allocate(PLACE, BYTES);
    allocate(PLACE + BYTES, BYTES);
    decide(PLACE, PLACE + BYTES);
}

TEST(places_in_one_allocation_are_compared)
{
    allocate(PLACE, 4 * BYTES);
    decide(PLACE + BYTES, PLACE + 2 * BYTES);
    set(0, PLACE + 3 * BYTES, ARG_USM); /* behind what is written */
    ck_assert(!left_alone());
    set(0, PLACE + 2 * BYTES - 4, ARG_USM);
    ck_assert(left_alone());
    set(0, PLACE + 2 * BYTES + 4, ARG_USM);
    ck_assert(left_alone());
    set(0, PLACE, ARG_USM);
    ck_assert(!left_alone());
}

TEST(memory_that_is_freed_is_not_known)
{
    allocate(PLACE, BYTES);
    allocate(PLACE + BYTES, 2 * BYTES);
    decide(PLACE, PLACE + BYTES + 4); /* a pointer into the allocation, which ref_gone() knows nothing of */
    svm_freed(context(), PLACE + BYTES);
    ck_assert(left_alone());
    allocate(PLACE + BYTES, 2 * BYTES);
    ck_assert(!left_alone());
}

TEST(an_address_may_be_of_other_memory_later)
{
    allocate(PLACE, 64);
    allocate(PLACE + 64, BYTES);
    decide(PLACE, PLACE + 64);
    svm_freed(context(), PLACE);
    svm_freed(context(), PLACE + 64);
    allocate(PLACE - 64, 2 * BYTES); /* the same pointers, and what is read is what is written */
    ck_assert(left_alone());
}

TEST(memory_freed_unseen_makes_room)
{
    allocate(PLACE, 64);
    allocate(PLACE + 64, BYTES);
    decide(PLACE, PLACE + 64);
    allocate(PLACE, 2 * BYTES);
    ck_assert(left_alone());
}

TEST(allocations_belong_to_a_context)
{
    allocate(PLACE, BYTES);
    allocate(PLACE + BYTES, BYTES);
    decide(PLACE, PLACE + BYTES);
    svm_allocated((cl_context)&script, PLACE + 3 * BYTES, BYTES, true);
    set(0, PLACE + 3 * BYTES, ARG_USM);
    ck_assert(left_alone());
    svm_allocated((cl_context)&script, PLACE, 2 * BYTES, true); /* another device's addresses */
    set(0, PLACE, ARG_USM);
    ck_assert(!left_alone());
    svm_freed((cl_context)&script, PLACE);
    ck_assert(!left_alone());
}

TEST(memory_that_the_host_uses_is_not_known)
{
    allocate(PLACE, BYTES);
    allocate(PLACE + BYTES, BYTES);
    decide(PLACE, PLACE + BYTES);
    svm_allocated(context(), PLACE + 2 * BYTES, BYTES, false);
    set(0, PLACE + 2 * BYTES, ARG_USM);
    ck_assert(left_alone());
}

/* Allocations of random sizes at random places, beside an array of whose each byte is. */
#define SPAN   256
#define ROUNDS 1000

static void drop(unsigned owner[SPAN], unsigned who)
{
    for (unsigned i = 0; i < SPAN; i++)
        owner[i] = owner[i] == who ? 0 : owner[i];
}

TEST(the_table_holds_what_was_allocated_last)
{
    unsigned owner[SPAN] = {0}, start[ROUNDS], size[ROUNDS];
    struct svm_allocation found;

    srand(7);
    for (unsigned round = 1; round < ROUNDS; round++) {
        const unsigned at = start[round] = (unsigned)rand() % SPAN;
        size[round] = 1 + (unsigned)rand() % (SPAN - at < 20 ? SPAN - at : 20);
        if (rand() % 3 == 0) {
            svm_freed(context(), PLACE + at);
            drop(owner, owner[at]);
            continue;
        }
        svm_allocated(context(), PLACE + at, size[round], true);
        for (unsigned i = at; i < at + size[round]; i++)
            drop(owner, owner[i]);
        for (unsigned i = at; i < at + size[round]; i++)
            owner[i] = round;
        for (unsigned i = 0; i < SPAN; i++) {
            ck_assert_msg(svm_find(context(), PLACE + i, &found) == (owner[i] != 0), "round %u, byte %u",
                          round, i);
            ck_assert(!owner[i] ||
                      (found.start == (uintptr_t)PLACE + start[owner[i]] && found.size == size[owner[i]]));
        }
    }
}

/* Each thread allocates and frees at places of its own, and finds what it has there, and nothing else. */
static void *allocates(void *number)
{
    const char *mine = PLACE + 1024 * (size_t)number;
    struct svm_allocation found;

    for (unsigned i = 1; i < 20000; i++) {
        svm_allocated(context(), mine, 1 + i % 512, true);
        if (!svm_find(context(), mine + i % 512, &found) || found.start != (uintptr_t)mine ||
            found.size != 1 + i % 512)
            return (void *)"lost";
        svm_freed(context(), mine);
        if (svm_find(context(), mine, &found))
            return (void *)"still there";
    }
    return NULL;
}

TEST(threads_do_not_disturb_each_other)
{
    pthread_t thread[4];
    void *problem;

    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, allocates, (void *)i), 0);
    for (size_t i = 0; i < 4; i++) {
        pthread_join(thread[i], &problem);
        ck_assert_msg(!problem, "%s", (const char *)problem);
    }
}

int main(void)
{
    return run_tests("pointers", script_begin, script_end);
}
